import { CellError } from '../../chain/cells/cell.js'
import { BoundedMap } from '../../shared/bounded-map.js'
import { isTonplugError } from '../../shared/tonplug-error.js'
import type { RequestOptions } from '../../toncenter/transport/call-options.js'
import type { V3Client } from '../../toncenter/v3/client.js'
import { findJettonWallet } from './jetton-wallet.js'

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
      if (wallet === undefined) return undefined
      known.set(key, wallet)
      return wallet
    },
  }
}

async function askMaster(
  v3: Pick<V3Client, 'runGetMethod'>,
  jetton: OwnedJetton,
  request: RequestOptions,
): Promise<string | undefined> {
  try {
    return await findJettonWallet(v3, jetton, request)
  } catch (error) {
    // The account has no such method, or its result is not an address.
    if (error instanceof CellError) return undefined
    if (isTonplugError(error) && error.code === 'ERR_TONPLUG_GET_METHOD') return undefined
    throw error
  }
}
