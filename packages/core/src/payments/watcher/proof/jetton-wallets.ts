import { CellError } from '../../../shared/cells/cell.js'
import { readCell } from '../../../shared/cells/cell-reader.js'
import { decodeBoc } from '../../../toncenter/chain/cells/decode-boc.js'
import { encodeBoc } from '../../../toncenter/chain/cells/write-boc.js'
import { addressCell } from '../../../toncenter/chain/write-body.js'
import { canonicalAddress } from '../../../shared/address.js'
import { BoundedMap } from '../../../shared/bounded-map.js'
import { isTonplugError } from '../../../shared/tonplug-error.js'
import { undefinedOn } from '../../../shared/undefined-on.js'
import type { GetMethodError } from '../../../toncenter/endpoint/get-method.js'
import type { StackItem } from '../../../toncenter/endpoint/stack.js'
import type { RequestOptions } from '../../../toncenter/transport/call-options.js'

/** A jetton and the owner of a wallet of it. Addresses are canonical. */
export interface OwnedJetton {
  master: string
  owner: string
}

/** The part of a client of API v3 or v2 that runs get-methods. */
export interface MethodReader {
  runGetMethod(
    call: { address: string; method: string; stack: SliceArgument[] },
    request: RequestOptions,
  ): Promise<MethodResult>
}

/** An argument; `boc` is base64. */
interface SliceArgument {
  type: 'slice'
  boc: string
}

interface MethodResult {
  stack: StackItem[]
}

/**
 * Result of comparing a jetton wallet with its master. `confirmed`: the wallet names the master and the owner. `denied`: it
 * names others, or is not a jetton wallet. `undeployed`: the node has no contract at the address.
 */
export type WalletVerdict = 'confirmed' | 'denied' | 'undeployed'

/**
 * The wallets that jetton masters name. A stranger may have deployed a master: use a wallet only if it is confirmed, and do
 * not ask again in between, since a dishonest master returns another address.
 */
export interface JettonWallets {
  /**
   * Returns the canonical address of the owner's wallet according to the master; `undefined` when the account is not a
   * jetton master.
   * @throws what the client throws when the master cannot be asked.
   */
  find(jetton: OwnedJetton, request: RequestOptions): Promise<string | undefined>
  /**
   * Compares the wallet that `find` returned with the jetton.
   * @throws what the client throws when the wallet cannot be asked.
   */
  confirm(jetton: OwnedJetton, wallet: string, request: RequestOptions): Promise<WalletVerdict>
}

/** Number of wallets in the cache. */
const MAX_ENTRIES = 10_000
/** Exit code for an account without a contract. */
const NO_CONTRACT = -13

/**
 * Creates a look-up that asks each master, and each confirmed wallet, once per owner: the address of a jetton wallet never
 * changes. The oldest entry makes room for the newest.
 */
export function createJettonWallets(
  v3: MethodReader,
  { maxEntries = MAX_ENTRIES }: { maxEntries?: number | undefined } = {},
): JettonWallets {
  const known = new BoundedMap<string, { wallet: string; isConfirmed: boolean }>(maxEntries)
  return {
    async find(jetton, request) {
      const key = keyOf(jetton)
      const cached = known.get(key)
      if (cached !== undefined) return cached.wallet
      const wallet = await askMaster(v3, jetton, request)
      if (wallet !== undefined) known.set(key, { wallet, isConfirmed: false })
      return wallet
    },
    async confirm(jetton, wallet, request) {
      const key = keyOf(jetton)
      const cached = known.get(key)
      if (cached?.wallet === wallet && cached.isConfirmed) return 'confirmed'
      const verdict = await askWallet(v3, jetton, wallet, request)
      if (verdict === 'confirmed') known.set(key, { wallet, isConfirmed: true })
      // The answer of a master is not used again after its wallet has contradicted it.
      if (verdict === 'denied') known.delete(key)
      return verdict
    },
  }
}

function keyOf({ master, owner }: OwnedJetton): string {
  return `${master} ${owner}`
}

/** Only the jetton master can compute the address. Source: TEP-74, `get_wallet_address`. */
async function askMaster(
  v3: MethodReader,
  { master: address, owner }: OwnedJetton,
  request: RequestOptions,
): Promise<string | undefined> {
  const ownerSlice = { type: 'slice', boc: encodeBoc(addressCell(owner)) } as const
  const call = { address, method: 'get_wallet_address', stack: [ownerSlice] }
  const result = await run(v3, call, request)
  return 'exitCode' in result ? undefined : addressOf(result.stack[0])
}

/** Source: TEP-74, `get_wallet_data`. */
async function askWallet(
  v3: MethodReader,
  { master, owner }: OwnedJetton,
  wallet: string,
  request: RequestOptions,
): Promise<WalletVerdict> {
  const named = await readWalletData(v3, wallet, request)
  if (named === 'undeployed') return 'undeployed'
  return named?.owner === owner && named.master === master ? 'confirmed' : 'denied'
}

/**
 * Returns the owner and the master that a jetton wallet names, canonical; `undefined` for another contract.
 * @throws what the client throws when the account cannot be asked.
 */
export async function readWalletData(
  v3: MethodReader,
  wallet: string,
  request: RequestOptions,
): Promise<OwnedJetton | 'undeployed' | undefined> {
  const result = await run(v3, { address: wallet, method: 'get_wallet_data' }, request)
  if ('exitCode' in result) return result.exitCode === NO_CONTRACT ? 'undeployed' : undefined
  const [, ownerSlice, masterSlice] = result.stack
  const owner = addressOf(ownerSlice)
  const master = addressOf(masterSlice)
  return owner === undefined || master === undefined ? undefined : { owner, master }
}

/** Runs a get-method. Returns the exit code if the contract has no such method, or fails. */
export async function run(
  v3: MethodReader,
  call: { address: string; method: string; stack?: SliceArgument[] },
  request: RequestOptions,
): Promise<MethodResult | { exitCode: number }> {
  try {
    return await v3.runGetMethod({ stack: [], ...call }, request)
  } catch (error) {
    if (isGetMethodError(error)) return { exitCode: error.details.exitCode }
    throw error
  }
}

function isGetMethodError(error: unknown): error is GetMethodError {
  return isTonplugError(error) && error.code === 'ERR_TONPLUG_GET_METHOD'
}

/** Returns the canonical address in a slice; `undefined` for anything else that a contract may return. */
function addressOf(item: MethodResult['stack'][number] | undefined): string | undefined {
  if (item?.type !== 'slice' && item?.type !== 'cell') return undefined
  const { boc } = item
  const address = undefinedOn(CellError, () => readCell(decodeBoc(boc)).address())
  return address === undefined ? undefined : canonicalAddress(address)
}
