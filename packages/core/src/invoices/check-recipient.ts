import { BoundedMap } from '../shared/bounded-map.js'
import { ConfigurationError } from '../shared/configuration-error.js'
import { isTonplugError } from '../shared/tonplug-error.js'
import { refuseJettonContract } from '../watcher/proof/jetton-contract.js'
import type { MethodReader } from '../watcher/proof/jetton-wallets.js'

type Refusal = Promise<string | undefined>

/** Longest time that an invoice waits for the look-up. */
const LOOK_MS = 3000
/** Number of wallets in the cache of one client. */
const MAX_WALLETS = 1000

const caches = new WeakMap<MethodReader, Map<string, Refusal>>()

/**
 * Refuses a recipient that the chain knows as a jetton wallet or a jetton master. Each client asks once per wallet. An
 * account that cannot be asked is accepted: no invoice waits for an index that is down.
 * @param wallet canonical
 * @throws {ConfigurationError} for a jetton wallet or a jetton master.
 */
export async function checkRecipient(v3: MethodReader, wallet: string): Promise<void> {
  const cache = caches.get(v3) ?? new BoundedMap<string, Refusal>(MAX_WALLETS)
  caches.set(v3, cache)
  const refusal = cache.get(wallet) ?? refuseJettonContract(v3, wallet, { deadlineMs: LOOK_MS })
  cache.set(wallet, refusal)
  try {
    const problem = await refusal
    if (problem !== undefined) throw new ConfigurationError({ option: 'wallet', problem })
  } catch (error) {
    if (!isTonplugError(error) || error.code === 'ERR_TONPLUG_CONFIGURATION') throw error
    cache.delete(wallet)
  }
}
