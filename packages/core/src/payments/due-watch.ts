import { errorFacts } from '../shared/error-facts.js'
import type { Registrar } from './registration.js'
import type { InboxPoller, WorkOptions } from './inbox-poller.js'
import { createPoller, type Poller } from './poller.js'

/** The time between two looks while another process has what is due. */
const TAKEN_MS = 1000
/** The time after which a look that failed is repeated. */
const RETRY_MS = 5000

/** Options of {@link createDueWatch}. */
export interface DueWatchOptions extends WorkOptions {
  /** The longest time between two looks. */
  idlePollMs: number
  /** Returns the handlers whose tasks this process may claim now; `undefined` for all. */
  handlers: () => readonly string[] | undefined
  /** Renewed by every second look by default, in the same statement. */
  registration: Pick<Registrar, 'isDue' | 'renewAndFindDue'>
  /** Returns the pollers of reports and tasks. */
  pollers: () => readonly InboxPoller[]
}

/**
 * Creates the one poller that reads when the next report or task of this process is due, and renews the registration. An
 * idle process runs nothing else.
 */
export function createDueWatch(options: DueWatchOptions): Poller {
  const { name, inbox, logger, idlePollMs, registration, pollers } = options
  const takeTurn = async (): Promise<number> => {
    try {
      const handlers = options.handlers()
      const dueInMs = registration.isDue()
        ? await registration.renewAndFindDue({ handlers })
        : await inbox.nextDueInMs({ name, handlers })
      if (dueInMs === undefined) return idlePollMs
      if (dueInMs > 0) return Math.min(idlePollMs, dueInMs)
      for (const poller of pollers()) poller.claimDue()
      return TAKEN_MS
    } catch (error) {
      logger.warn('inbox not reachable; polling again', { error: errorFacts(error) })
      return RETRY_MS
    }
  }
  return createPoller({ ...options, takeTurn })
}
