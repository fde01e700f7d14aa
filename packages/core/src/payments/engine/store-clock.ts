import type { Inbox } from '../inbox/inbox.js'
import { CLOCK_TOLERANCE_MS } from '../orders/order-age.js'
import type { Clock } from '../../shared/clock.js'
import type { Logger } from '../../shared/logger.js'

const COMPARE_EVERY_MS = 60_000

/** The clock of the process, compared with the clock of the inbox. */
export interface StoreClock {
  /** Compares at most once a minute. Never rejects: an inbox that fails is reported by other calls. */
  compare(): Promise<void>
  /** Returns a description of the difference; `undefined` for a difference of seconds. */
  problem(): string | undefined
}

/** Creates a comparison of clocks. A difference is logged when it begins and when it ends. */
export function createStoreClock({
  inbox,
  clock,
  logger,
}: {
  inbox: Pick<Inbox, 'processes'>
  clock: Clock
  logger: Logger
}): StoreClock {
  let aheadMs = 0
  let comparedAtMs = -Infinity
  const differs = (): boolean => Math.abs(aheadMs) > CLOCK_TOLERANCE_MS
  const logChange = (differedBefore: boolean): void => {
    if (differs() === differedBefore) return
    if (differedBefore) logger.info('clock agrees with the database again')
    else logger.warn('clock differs from the database; synchronize both clocks', { aheadMs })
  }
  return {
    async compare() {
      const nowMs = clock.nowMs()
      // A clock may jump back.
      if (inbox.processes.nowMs === undefined || Math.abs(nowMs - comparedAtMs) < COMPARE_EVERY_MS)
        return
      comparedAtMs = nowMs
      const storeMs = await inbox.processes.nowMs().catch(() => undefined)
      if (storeMs === undefined) return
      const differedBefore = differs()
      aheadMs = nowMs - storeMs
      logChange(differedBefore)
    },
    problem() {
      if (!differs()) return undefined
      const direction = aheadMs > 0 ? 'ahead of' : 'behind'
      return `the clock of this process is ${Math.abs(aheadMs)} ms ${direction} the clock of the database; synchronize both`
    },
  }
}
