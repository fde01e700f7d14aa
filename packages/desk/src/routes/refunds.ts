import type { Clock, Logger } from '@tonplug/core'
import type { Operator, RefundProgress } from '@tonplug/core/operator'

/** Pages ask every few seconds; each look at the chain costs two requests. */
const MAX_AGE_MS = 10_000
const MAX_KNOWN = 1000

/** Follows refunds on the chain. */
export interface RefundReader {
  /** Returns a refund as the chain showed it within the last seconds; `undefined` while the chain cannot be read. */
  read(reportId: string): Promise<RefundProgress | undefined>
}

/** Creates a reader that remembers refunds which have arrived, and others for some seconds. */
export function createRefundReader({
  operator,
  clock,
  logger,
}: {
  operator: Pick<Operator, 'refundProgress'>
  clock: Clock
  logger: Logger
}): RefundReader {
  const known = new Map<string, { atMs: number; progress: Promise<RefundProgress | undefined> }>()
  const look = (reportId: string): Promise<RefundProgress | undefined> =>
    operator.refundProgress(reportId).catch((error: unknown) => {
      logger.warn('desk look at a refund failed', { reportId, error })
      return undefined
    })
  return {
    async read(reportId) {
      const former = known.get(reportId)
      const progress = await former?.progress
      const isFresh = former !== undefined && clock.nowMs() - former.atMs < MAX_AGE_MS
      if (isFresh || progress?.state === 'refunded') return progress
      if (known.size >= MAX_KNOWN) known.clear()
      const next = { atMs: clock.nowMs(), progress: look(reportId) }
      known.set(reportId, next)
      return next.progress
    },
  }
}
