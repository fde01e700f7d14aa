import { CellError } from '../../chain/cells/cell.js'
import { readCell } from '../../chain/cells/cell-reader.js'
import { decodeBoc } from '../../chain/cells/parse-boc.js'
import { encodeBoc } from '../../chain/cells/write-boc.js'
import { addressCell } from '../../chain/write-body.js'
import { canonicalAddress } from '../../shared/address.js'
import { BoundedMap } from '../../shared/bounded-map.js'
import { isTonplugError } from '../../shared/tonplug-error.js'
import type { RequestOptions } from '../../toncenter/transport/call-options.js'
import type { V3Client } from '../../toncenter/v3/client.js'

/** A jetton and the owner of a wallet of it. Addresses are canonical. */
interface OwnedJetton {
  master: string
  owner: string
}

/** Jetton wallets, verified through their jetton masters. */
export interface JettonWallets {
  /**
   * Returns the canonical address of the owner's wallet; `undefined` when the account is not a jetton master.
   * @throws what the client of API v3 throws when the master cannot be asked.
   */
  find(jetton: OwnedJetton, request: RequestOptions): Promise<string | undefined>
}

/** Number of wallets in the cache. */
const MAX_ENTRIES = 10_000

/**
 * Creates a look-up of jetton wallets that asks each master once per owner: the address of a jetton wallet never changes.
 * Only wallets that were found are cached; the oldest entry makes room for the newest.
 */
export function createJettonWallets(
  v3: Pick<V3Client, 'runGetMethod'>,
  { maxEntries = MAX_ENTRIES }: { maxEntries?: number | undefined } = {},
): JettonWallets {
  const known = new BoundedMap<string, string>(maxEntries)
  return {
    async find(jetton, request) {
      const key = `${jetton.master} ${jetton.owner}`
      const cached = known.get(key)
      if (cached !== undefined) return cached
      const wallet = await askMaster(v3, jetton, request)
      if (wallet !== undefined) known.set(key, wallet)
      return wallet
    },
  }
}

/** Only the jetton master can compute the address. Source: TEP-74, `get_wallet_address`. */
async function askMaster(
  v3: Pick<V3Client, 'runGetMethod'>,
  { master: address, owner }: OwnedJetton,
  request: RequestOptions,
): Promise<string | undefined> {
  try {
    const ownerSlice = { type: 'slice', boc: encodeBoc(addressCell(owner)) } as const
    const call = { address, method: 'get_wallet_address', stack: [ownerSlice] }
    const [first] = (await v3.runGetMethod(call, request)).stack
    if (first?.type !== 'slice' && first?.type !== 'cell') return undefined
    const wallet = readCell(decodeBoc(first.boc)).address()
    return wallet === undefined ? undefined : canonicalAddress(wallet)
  } catch (error) {
    // The account has no such method, or its result is not an address.
    if (error instanceof CellError) return undefined
    if (isTonplugError(error) && error.code === 'ERR_TONPLUG_GET_METHOD') return undefined
    throw error
  }
}
