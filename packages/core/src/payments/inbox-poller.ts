import type { CheckedInbox } from '../inbox/checked-inbox.js'
import { errorFacts } from '../shared/error-facts.js'
import type { Logger } from '../shared/logger.js'
import { createPoller, type Poller, type PollerOptions } from './poller.js'

/** The longest time between two polls. */
const POLL_MS = 5000
/** The shortest time between two polls that found nothing to do: another process has what is due. */
const IDLE_MS = 1000

/** The store, the clock and the reporting of background work. */
export interface WorkOptions extends Omit<PollerOptions, 'takeTurn'> {
  inbox: CheckedInbox
  logger: Logger
}

/** Work that is due in the inbox. */
export interface DueWork {
  /** Claims and starts due work. @returns how many rows were claimed. */
  claim: () => Promise<number>
  /** Returns the handlers whose tasks this poller runs; `undefined` for all. @default [] (reports only) */
  handlers?: () => readonly string[] | undefined
  /** Returns true when no more work can start until some ends, which wakes the poller. */
  isFull?: () => boolean
}

/** Creates a poller that claims due work, and then waits until more is due. */
export function createInboxPoller(options: WorkOptions, work: DueWork): Poller {
  const { name, inbox, logger } = options
  const { claim, handlers = () => [], isFull = () => false } = work
  const takeTurn = async (): Promise<number> => {
    try {
      const count = await claim()
      if (isFull()) return POLL_MS
      const dueInMs = (await inbox.nextDueInMs({ name, handlers: handlers() })) ?? POLL_MS
      if (dueInMs <= 0) return count > 0 ? 0 : IDLE_MS
      return Math.min(POLL_MS, dueInMs)
    } catch (error) {
      logger.warn('inbox not reachable; polling again', { error: errorFacts(error) })
      return POLL_MS
    }
  }
  return createPoller({ ...options, takeTurn })
}
