import { getMethodId, parseTuple, Cell, type Address, type TupleItem } from '@ton/core'
import type { AccountView } from '../chain/account-view.js'
import type { Chain } from '../chain/chain.js'
import { readContent } from '../chain/jetton-content.js'
import { walletOf, type WalletFacts } from '../chain/wallet-kinds.js'

const GET_METHOD_GAS = 10_000_000n

/** The known kinds of contracts. */
export type Contract = { kind: 'wallet'; wallet: WalletFacts } | JettonWallet | JettonMaster

/** The jetton wallet of an owner, confirmed by its master. */
export interface JettonWallet {
  kind: 'jetton_wallet'
  balance: bigint
  owner: Address
  master: Address
}

/** A jetton master. */
export interface JettonMaster {
  kind: 'jetton_master'
  totalSupply: bigint
  isMintable: boolean
  admin: Address | undefined
  content: Record<string, string>
  walletCode: Cell
}

/** Detects contracts by their get-methods. */
export interface ContractIndex {
  /** Returns the contract of an account in one of its states; undefined when its kind is unknown. */
  contractOf(address: Address, view: AccountView): Promise<Contract | undefined>
}

/** Creates an index that runs the get-methods of each account state once. */
export function contractIndex(chain: Chain): ContractIndex {
  // A state lives as long as the transactions that refer to it.
  const known = new WeakMap<AccountView, Promise<Contract | undefined>>()
  const wallets = jettonWalletsOf(chain)
  return {
    contractOf(address, view) {
      const found = known.get(view) ?? detect({ chain, wallets }, address, view)
      known.set(view, found)
      return found
    },
  }
}

/** Returns the address of an owner's jetton wallet, by its master in its present state. */
type JettonWalletsOf = (
  master: Address,
  owner: TupleItem | undefined,
) => Promise<Address | undefined>

/** Asks each state of a master once for each owner. */
function jettonWalletsOf(chain: Chain): JettonWalletsOf {
  const known = new WeakMap<AccountView, Map<string, Promise<Address | undefined>>>()
  const ask = async (view: AccountView, master: Address, owner: Cell) => {
    const stack: TupleItem[] = [{ type: 'slice', cell: owner }]
    const call = { address: master, view, method: 'get_wallet_address', stack }
    const [confirmed] = await run(chain, call)
    return addressIn(confirmed)
  }
  return async (master, owner) => {
    // The chain may have discarded all transactions of the account.
    const view = chain.index.ofAccount(master).at(-1)?.after ?? (await chain.account(master))
    const cell = sliceOf(owner)
    const answers = known.get(view) ?? new Map<string, Promise<Address | undefined>>()
    known.set(view, answers)
    const key = `${master.toRawString()} ${cell.hash().toString('hex')}`
    const answer = answers.get(key) ?? ask(view, master, cell)
    answers.set(key, answer)
    return answer
  }
}

interface Detection {
  chain: Chain
  wallets: JettonWalletsOf
}

async function detect(
  detection: Detection,
  address: Address,
  view: AccountView,
): Promise<Contract | undefined> {
  const wallet = walletOf(view)
  if (wallet !== undefined) return { kind: 'wallet', wallet }
  return (
    (await askJettonWallet(detection, address, view)) ??
    askJettonMaster(detection.chain, address, view)
  )
}

async function askJettonWallet(
  { chain, wallets }: Detection,
  address: Address,
  view: AccountView,
): Promise<JettonWallet | undefined> {
  const call = { address, view, method: 'get_wallet_data' }
  const [balance, ownerSlice, masterSlice] = await run(chain, call)
  const [owner, master] = [addressIn(ownerSlice), addressIn(masterSlice)]
  if (balance?.type !== 'int' || owner === undefined || master === undefined) return undefined
  const confirmed = await wallets(master, ownerSlice)
  if (confirmed?.equals(address) !== true) return undefined
  return { kind: 'jetton_wallet', balance: balance.value, owner, master }
}

async function askJettonMaster(
  chain: Chain,
  address: Address,
  view: AccountView,
): Promise<JettonMaster | undefined> {
  const call = { address, view, method: 'get_jetton_data' }
  const [supply, mintable, admin, content, walletCode] = await run(chain, call)
  if (supply?.type !== 'int' || mintable?.type !== 'int') return undefined
  if (content?.type !== 'cell' || walletCode?.type !== 'cell') return undefined
  return {
    kind: 'jetton_master',
    totalSupply: supply.value,
    isMintable: mintable.value !== 0n,
    admin: addressIn(admin),
    content: textsIn(content.cell),
    walletCode: walletCode.cell,
  }
}

/** Returns the metadata of a jetton. */
function textsIn(content: Cell): Record<string, string> {
  try {
    const { data } = readContent(content)
    return typeof data === 'string' ? { uri: data } : data
  } catch {
    // The content may have any format.
    return {}
  }
}

function sliceOf(item: TupleItem | undefined): Cell {
  return item?.type === 'slice' ? item.cell : Cell.EMPTY
}

function addressIn(item: TupleItem | undefined): Address | undefined {
  try {
    return sliceOf(item).beginParse().loadMaybeAddress() ?? undefined
  } catch {
    // The slice is shorter than an address, so this is another kind of contract.
    return undefined
  }
}

interface Call {
  address: Address
  view: AccountView
  method: string
  stack?: TupleItem[]
}

/** Runs a get-method on one state of an account; returns an empty stack on failure. */
async function run(
  chain: Chain,
  { address, view, method, stack = [] }: Call,
): Promise<TupleItem[]> {
  const { blockchain } = chain
  const { code, data } = view
  if (code === undefined || data === undefined) return []
  const { output } = await blockchain.executor.runGetMethod({
    code,
    data,
    address,
    methodId: getMethodId(method),
    stack,
    config: blockchain.configBase64,
    ...(blockchain.libs && { libs: blockchain.libs }),
    verbosity: 'short',
    unixTime: chain.now,
    balance: view.balance,
    randomSeed: Buffer.alloc(32),
    gasLimit: GET_METHOD_GAS,
    debugEnabled: false,
  })
  const isSuccess = output.success && (output.vm_exit_code === 0 || output.vm_exit_code === 1)
  return isSuccess ? parseTuple(Cell.fromBase64(output.stack)) : []
}
