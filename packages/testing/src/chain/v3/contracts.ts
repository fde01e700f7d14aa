import { getMethodId, parseTuple, Cell, type Address, type TupleItem } from '@ton/core'
import type { AccountView } from '../account-view.js'
import type { Chain } from '../chain.js'
import { readContent } from '../jetton-content.js'
import { walletOf, type WalletFacts } from './wallet-kinds.js'

const GET_METHOD_GAS = 10_000_000n

/** What an account's contract is. */
export type Contract = { kind: 'wallet'; wallet: WalletFacts } | JettonWallet | JettonMaster

/** One owner's jettons of one kind, and its master agrees. */
export interface JettonWallet {
  kind: 'jetton_wallet'
  balance: bigint
  owner: Address
  master: Address
}

/** A kind of jetton. */
export interface JettonMaster {
  kind: 'jetton_master'
  totalSupply: bigint
  isMintable: boolean
  admin: Address | undefined
  content: Record<string, string>
  walletCode: Cell
}

/** Knows contracts by what they answer. */
export interface ContractIndex {
  /** What the contract of an account is in one of its states; undefined for all that the index does not know. */
  contractOf(address: Address, view: AccountView): Promise<Contract | undefined>
}

/** Asks the contracts of a chain, each state once. */
export function contractIndex(chain: Chain): ContractIndex {
  // A state goes with the transactions that have it.
  const known = new WeakMap<AccountView, Promise<Contract | undefined>>()

  async function ask(address: Address, view: AccountView): Promise<Contract | undefined> {
    const wallet = walletOf(view)
    if (wallet !== undefined) return { kind: 'wallet', wallet }
    return (await askJettonWallet(address, view)) ?? askJettonMaster(address, view)
  }

  async function askJettonWallet(
    address: Address,
    view: AccountView,
  ): Promise<JettonWallet | undefined> {
    const [balance, owner, master] = await run(chain, { address, view, method: 'get_wallet_data' })
    const of = { owner: addressIn(owner), master: addressIn(master) }
    if (balance?.type !== 'int' || of.owner === undefined || of.master === undefined) {
      return undefined
    }
    const stack: TupleItem[] = [{ type: 'slice', cell: sliceOf(owner) }]
    const [confirmed] = await run(chain, {
      address: of.master,
      view: await chain.account(of.master),
      method: 'get_wallet_address',
      stack,
    })
    if (addressIn(confirmed)?.equals(address) !== true) return undefined
    return { kind: 'jetton_wallet', balance: balance.value, owner: of.owner, master: of.master }
  }

  async function askJettonMaster(
    address: Address,
    view: AccountView,
  ): Promise<JettonMaster | undefined> {
    const [supply, mintable, admin, content, walletCode] = await run(chain, {
      address,
      view,
      method: 'get_jetton_data',
    })
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

  return {
    contractOf(address, view) {
      const answer = known.get(view) ?? ask(address, view)
      known.set(view, answer)
      return answer
    },
  }
}

/** What a jetton says of itself. */
function textsIn(content: Cell): Record<string, string> {
  try {
    const { data } = readContent(content)
    return typeof data === 'string' ? { uri: data } : data
  } catch {
    // Its maker wrote what they liked.
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
    // Less than an address: a contract that is something else.
    return undefined
  }
}

interface Call {
  address: Address
  view: AccountView
  method: string
  stack?: TupleItem[]
}

/** What a get-method answers in one state of its account; nothing where it fails. */
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
