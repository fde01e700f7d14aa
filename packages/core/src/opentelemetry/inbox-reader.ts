import { diag, type BatchObservableResult } from '@opentelemetry/api'
import type { InboxStats } from '../inbox/inbox.js'
import type { Clock } from '../runtime/clock.js'
import { describeThrown } from '../runtime/error-facts.js'
import type { WatchedReceiver } from '../webhook/instrumentation.js'
import { RECEIVER } from './attributes.js'
import type { InboxGauges } from './instruments.js'

/** All other metrics wait for this one, so a database that hangs does not hold them for long. */
const READ_MS = 5000
/** A read that has not ended by then is left to itself. */
const GIVEN_UP_MS = 60_000

/** Observes what is unfinished in the inbox of one receiver. */
export type InboxReader = (gauges: InboxGauges, result: BatchObservableResult) => Promise<void>

/**
 * When the inbox cannot be read in time it is observed to be down, and nothing else: an SDK with cumulative temporality
 * goes on to export what it saw last. Never rejects, and reads once at a time.
 */
export function createInboxReader(receiver: WatchedReceiver): InboxReader {
  const { name, clock } = receiver
  let reading: Promise<InboxStats | undefined> | undefined
  let beganMs = 0

  const read = async (): Promise<InboxStats | undefined> => {
    try {
      return await receiver.inboxStats()
    } catch (error) {
      diag.warn(`tonplug: the inbox of '${name}' cannot be read: ${describeThrown(error)}`)
      return undefined
    } finally {
      reading = undefined
    }
  }

  const current = (): Promise<InboxStats | undefined> => {
    const nowMs = clock.nowMs()
    // One that hangs must not stand for the inbox for ever.
    if (reading === undefined || nowMs - beganMs >= GIVEN_UP_MS) {
      beganMs = nowMs
      reading = read()
    }
    return reading
  }

  return async (gauges, result) => {
    const stats = await within(clock, READ_MS, current())
    const attributes = { [RECEIVER]: name }
    result.observe(gauges.up, stats === undefined || stats.isReadOnly === true ? 0 : 1, attributes)
    if (stats === undefined) return
    const { undecided, parked, open, dead, oldestOpenMs } = stats
    const ageMs = oldestOpenMs === undefined ? 0 : Math.max(0, clock.nowMs() - oldestOpenMs)
    result.observe(gauges.undecided, undecided, attributes)
    result.observe(gauges.parked, parked, attributes)
    result.observe(gauges.open, open, attributes)
    result.observe(gauges.dead, dead, attributes)
    result.observe(gauges.oldestAge, ageMs / 1000, attributes)
  }
}

/** @returns `undefined` when it takes longer. */
async function within<T>(clock: Clock, limitMs: number, work: Promise<T>): Promise<T | undefined> {
  let cancel = (): void => undefined
  const late = new Promise<undefined>((resolve) => {
    cancel = clock.setTimer(() => resolve(undefined), limitMs, { isBackground: true })
  })
  try {
    return await Promise.race([work, late])
  } finally {
    cancel()
  }
}
