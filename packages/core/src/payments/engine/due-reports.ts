import type { Report } from '../inbox/inbox-reports.js'
import type { OrderKey } from '../orders/order.js'
import { backoffDelay, withDeadline } from '../../shared/timers.js'
import { errorFacts } from '../../shared/error-facts.js'
import { startWork, type StartedWork, type WorkKind, type WorkOptions } from './due-work.js'

const LEASE_MS = 30_000
const RETRY_BACKOFF = { minDelayMs: LEASE_MS, maxDelayMs: 3_600_000 }
const CONCURRENCY = 50

/** Options of {@link createDueReports}. */
export interface DueReportsOptions extends WorkOptions {
  policy: string
  /** Decides a report that is parked, or whose decision is missing. */
  decide: (report: Report) => Promise<void>
}

/** Reports that are parked or undecided. */
export interface DueReports extends WorkKind {
  /** Decides the reports of an order that are due now. */
  decideOrder(key: Required<OrderKey>): Promise<void>
}

/** Decides reports when they are due. Look-ups that hang never delay others. */
export function createDueReports(options: DueReportsOptions): DueReports {
  const { name, policy, inbox } = options
  const running = new Set<StartedWork>()
  const claim = async (key?: Required<OrderKey>): Promise<StartedWork[]> => {
    const limit = CONCURRENCY - running.size
    if (limit <= 0) return []
    const claimed = await inbox.reports.claim({ name, policy, key, retryInMs: LEASE_MS, limit })
    return claimed.map((report) => startWork(running, { end: decideLogged(options, report) }))
  }
  return {
    running,
    claim: () => claim(),
    async decideOrder(key) {
      while ((await Promise.all((await claim(key)).map(({ end }) => end))).length > 0);
    },
  }
}

/** Decides one report; one that cannot be decided is retried with backoff. Never rejects. */
async function decideLogged(options: DueReportsOptions, report: Report): Promise<void> {
  const { inbox, clock, logger } = options
  const { id, reference, attempts } = report
  try {
    const deadline = { clock, deadlineMs: LEASE_MS, isBackground: true }
    await withDeadline<unknown>(
      deadline,
      () => options.decide(report),
      () => {
        throw new Error(`the decision took longer than ${LEASE_MS} ms`)
      },
    )
  } catch (error) {
    const retryInMs = backoffDelay(RETRY_BACKOFF, attempts)
    const facts = { reportId: id, reference, attempts, retryInMs }
    logger.error('report not decided; it is retried', { ...facts, error: errorFacts(error) })
    try {
      await inbox.reports.postpone(id, retryInMs)
    } catch (failure) {
      logger.warn('report not postponed', { ...facts, error: errorFacts(failure) })
    }
  }
}
