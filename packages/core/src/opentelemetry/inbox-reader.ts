import { diag, type BatchObservableResult } from '@opentelemetry/api'
import type { InboxStats } from '../payments/inbox/inbox.js'
import { withDeadline } from '../shared/timers.js'
import { describeThrown } from '../shared/error-facts.js'
import type { WatchedPayments } from '../payments/engine/instrumentation.js'
import { PAYMENTS_NAME } from './attributes.js'
import type { InboxGauges } from './instruments.js'

/** All other metrics wait for this one, so a database that hangs does not hold them for long. */
const READ_MS = 5000
/** A read that has not ended by then is left to itself. */
const GIVEN_UP_MS = 60_000

/** Observes what is unfinished in the inbox of one Payments. */
export type InboxReader = (gauges: InboxGauges, result: BatchObservableResult) => Promise<void>

/**
 * Creates a reader that never rejects and performs one read at a time. An inbox that cannot be read in time is observed as
 * down; an SDK with cumulative temporality keeps exporting the last values of its other gauges.
 */
export function createInboxReader(payments: WatchedPayments): InboxReader {
  const { name, clock } = payments
  let reading: Promise<InboxStats | undefined> | undefined
  let beganMs = 0

  const read = async (): Promise<InboxStats | undefined> => {
    try {
      return await payments.inboxStats()
    } catch (error) {
      diag.warn(`tonplug: the inbox of '${name}' cannot be read: ${describeThrown(error)}`)
      return undefined
    }
  }

  return async (gauges, result) => {
    const nowMs = clock.nowMs()
    // A read that hangs must not block all later ones.
    if (reading === undefined || nowMs - beganMs >= GIVEN_UP_MS) {
      beganMs = nowMs
      const own = read().finally(() => {
        // One that was given up may end during a later one.
        if (reading === own) reading = undefined
      })
      reading = own
    }
    const current = reading
    const stats = await withDeadline<InboxStats | undefined>(
      { clock, deadlineMs: READ_MS, isBackground: true },
      () => current,
      () => undefined,
    )
    const attributes = { [PAYMENTS_NAME]: name }
    const isUp = stats !== undefined && stats.problem === undefined
    result.observe(gauges.up, isUp ? 1 : 0, attributes)
    if (stats === undefined) return
    for (const gauge of ['undecided', 'parked', 'open', 'dead'] as const) {
      result.observe(gauges[gauge], stats[gauge], attributes)
    }
    result.observe(gauges.oldestAge, (stats.oldestOpenAgeMs ?? 0) / 1000, attributes)
  }
}
