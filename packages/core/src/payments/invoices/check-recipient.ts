import { BoundedMap } from '../../shared/bounded-map.js'
import type { Clock } from '../../shared/clock.js'
import { ConfigurationError } from '../../shared/configuration-error.js'
import { isTonplugError } from '../../shared/tonplug-error.js'
import { refuseJettonContract } from '../watcher/proof/jetton-contract.js'
import type { MethodReader } from '../watcher/proof/jetton-wallets.js'

interface Look {
  /** The reason of a refusal; rejected when the account could not be asked. */
  refusal: Promise<string | undefined>
  atMs: number
}

/** Longest time that an invoice waits for the look-up. */
const LOOK_MS = 3000
/** Time until an account that could not be asked is asked again. */
const RETRY_MS = 60_000
/** Number of wallets in the cache of one client. */
const MAX_WALLETS = 1000

const caches = new WeakMap<MethodReader, Map<string, Look>>()

/**
 * Refuses a recipient that the chain knows as a jetton wallet or a jetton master. Each client asks once per wallet. An
 * account that cannot be asked is accepted, and asked again a minute later: no invoice waits for an index that is down.
 * @param wallet canonical
 * @throws {ConfigurationError} for a jetton wallet or a jetton master.
 */
export async function checkRecipient(
  v3: MethodReader,
  wallet: string,
  clock: Clock,
): Promise<void> {
  const cache = caches.get(v3) ?? new BoundedMap<string, Look>(MAX_WALLETS)
  caches.set(v3, cache)
  const look = cache.get(wallet) ?? {
    refusal: refuseJettonContract(v3, wallet, { deadlineMs: LOOK_MS }),
    atMs: clock.nowMs(),
  }
  cache.set(wallet, look)
  try {
    const problem = await look.refusal
    if (problem !== undefined) throw new ConfigurationError({ option: 'wallet', problem })
  } catch (error) {
    if (!isTonplugError(error) || error.code === 'ERR_TONPLUG_CONFIGURATION') throw error
    if (clock.nowMs() - look.atMs >= RETRY_MS && cache.get(wallet) === look) cache.delete(wallet)
  }
}
