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
  return {
    contractOf(address, view) {
      const found = known.get(view) ?? detect(chain, address, view)
      known.set(view, found)
      return found
    },
  }
}

async function detect(
  chain: Chain,
  address: Address,
  view: AccountView,
): Promise<Contract | undefined> {
  const wallet = walletOf(view)
  if (wallet !== undefined) return { kind: 'wallet', wallet }
  return (await askJettonWallet(chain, address, view)) ?? askJettonMaster(chain, address, view)
}

async function askJettonWallet(
  chain: Chain,
  address: Address,
  view: AccountView,
): Promise<JettonWallet | undefined> {
  const call = { address, view, method: 'get_wallet_data' }
  const [balance, ownerSlice, masterSlice] = await run(chain, call)
  const [owner, master] = [addressIn(ownerSlice), addressIn(masterSlice)]
  if (balance?.type !== 'int' || owner === undefined || master === undefined) return undefined
  const [confirmed] = await run(chain, {
    address: master,
    view: await chain.account(master),
    method: 'get_wallet_address',
    stack: [{ type: 'slice', cell: sliceOf(ownerSlice) }],
  })
  if (addressIn(confirmed)?.equals(address) !== true) return undefined
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
