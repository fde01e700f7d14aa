import type { Report } from '../inbox/inbox.js'
import { backoffDelay } from '../shared/backoff.js'
import { withDeadline } from '../shared/deadline.js'
import { errorFacts } from '../shared/error-facts.js'
import { createInboxPoller, type WorkOptions } from './inbox-poller.js'
import type { Poller } from './poller.js'

const LEASE_MS = 30_000
const RETRY_BACKOFF = { minDelayMs: LEASE_MS, maxDelayMs: 3_600_000 }
const CONCURRENCY = 50

/** Options of {@link createReportPoller}. */
export interface ReportPollerOptions extends WorkOptions {
  policy: string
  /** Decides a report that is parked, or whose decision is missing. */
  decide: (report: Report) => Promise<void>
  watch: Pick<Poller, 'wake'>
}

/** Decides reports that are parked or undecided when they are due. Look-ups that hang never delay others. */
export function createReportPoller(options: ReportPollerOptions) {
  const { name, policy, inbox } = options
  const running = new Set<Promise<void>>()

  const claim = async (key?: { reference: string; merchant: string }): Promise<Promise<void>[]> => {
    const limit = CONCURRENCY - running.size
    if (limit <= 0) return []
    const query = { name, policy, key, retryInMs: LEASE_MS, limit }
    const claimed = await inbox.claimReports(query)
    return claimed.map((report) => {
      const end = decideLogged(options, report).finally(() => {
        running.delete(end)
        poller.wake()
      })
      running.add(end)
      return end
    })
  }
  const poller = createInboxPoller(options, async () => (await claim()).length, options.watch)

  return {
    ...poller,
    /** Decides the reports of an order that are due now. */
    async decideOrder(key: { reference: string; merchant: string }): Promise<void> {
      while ((await Promise.all(await claim(key))).length > 0);
    },
    /** Starts nothing new; resolves when all has ended. */
    async stop(): Promise<void> {
      await poller.stop()
      await Promise.all(running)
    },
  }
}

/** Decides one report; one that cannot be decided is retried with backoff. Never rejects. */
async function decideLogged(options: ReportPollerOptions, report: Report): Promise<void> {
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
      await inbox.postpone(id, retryInMs)
    } catch (failure) {
      logger.warn('report not postponed', { ...facts, error: errorFacts(failure) })
    }
  }
}
