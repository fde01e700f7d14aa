import type { CheckedInbox } from '../inbox/checked-inbox.js'
import { errorFacts } from '../shared/error-facts.js'
import type { Logger } from '../shared/logger.js'
import { createPoller, NEVER_MS, type Poller, type PollerOptions } from './poller.js'

/** The time after which a claim that failed is repeated. */
const RETRY_MS = 5000

/** The store, the clock and the reporting of background work. */
export interface WorkOptions extends Omit<PollerOptions, 'takeTurn'> {
  inbox: CheckedInbox
  logger: Logger
}

/** A poller that claims due work of one kind. */
export interface InboxPoller extends Poller {
  /** Claims what the due watch has found. */
  claimDue(): void
}

/**
 * Creates a poller that claims due work when it is woken.
 * @param claim claims and starts due work; returns how many rows were claimed.
 * @param watch looks for the next due time after a claim.
 */
export function createInboxPoller(
  options: WorkOptions,
  claim: () => Promise<number>,
  watch: Pick<Poller, 'wake'>,
): InboxPoller {
  let isWoken = true
  const takeTurn = async (): Promise<number> => {
    const mayHaveChanged = isWoken
    isWoken = false
    try {
      const count = await claim()
      // Another process may have what the watch has found; it waits before it looks again.
      if (count > 0 || mayHaveChanged) watch.wake()
      return NEVER_MS
    } catch (error) {
      options.logger.warn('inbox not reachable; polling again', { error: errorFacts(error) })
      isWoken = true
      return RETRY_MS
    }
  }
  const poller = createPoller({ ...options, takeTurn })
  return {
    ...poller,
    wake() {
      isWoken = true
      poller.wake()
    },
    claimDue: () => poller.wake(),
  }
}
