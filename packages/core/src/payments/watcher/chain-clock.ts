import { CLOCK_TOLERANCE_MS } from '../orders/order-age.js'
import type { Clock } from '../../shared/clock.js'
import type { Logger } from '../../shared/logger.js'

/** A clock that is further ahead is not corrected: the index may be behind by as much. */
const MOST_AHEAD_MS = 3_600_000

/**
 * Compares the clock of the process with the newest blocks of the index. A block that appeared since the last look is
 * younger than that look, so an older time of the block shows that the clock is ahead, or that the index is behind.
 */
export class ChainClock {
  readonly #clock: Clock
  readonly #logger: Logger
  #last: { lookedAtMs: number; head: number } | undefined
  #aheadMs = 0
  #isKnown = false
  #isReported = false

  constructor({ clock, logger }: { clock: Clock; logger: Logger }) {
    this.#clock = clock
    this.#logger = logger
  }

  /** False until a fresh or a new block was seen: the clock may be ahead, or the index behind. */
  get isKnown(): boolean {
    return this.#isKnown
  }

  /** Time by which creation times of orders are corrected, milliseconds; 0 while the difference is tolerated. */
  get correctionMs(): number {
    return this.#aheadMs > CLOCK_TOLERANCE_MS ? Math.min(this.#aheadMs, MOST_AHEAD_MS) : 0
  }

  /** Time by which the clock is ahead of the chain, milliseconds; negative when it is behind. `undefined` if tolerated. */
  get differenceMs(): number | undefined {
    return Math.abs(this.#aheadMs) > CLOCK_TOLERANCE_MS ? this.#aheadMs : undefined
  }

  /**
   * @param lookedAtMs when the index was asked
   * @param head the time of its newest block, Unix seconds
   */
  observe(lookedAtMs: number, head: number): void {
    const headMs = head * 1000
    const last = this.#last
    this.#last = { lookedAtMs, head }
    // The newest block is not older than this.
    const mostMs = this.#clock.nowMs() - headMs
    const isNew = last !== undefined && head > last.head
    const leastMs = isNew ? last.lookedAtMs - headMs : -Infinity
    this.#isKnown ||= isNew || mostMs <= CLOCK_TOLERANCE_MS
    this.#aheadMs = Math.min(Math.max(this.#aheadMs, leastMs), mostMs)
    this.#report()
  }

  #report(): void {
    const aheadMs = this.differenceMs
    if ((aheadMs !== undefined) === this.#isReported) return
    this.#isReported = aheadMs !== undefined
    if (aheadMs === undefined) {
      this.#logger.info('clock agrees with the newest block again')
    } else {
      this.#logger.warn(
        'clock differs from the newest block; synchronize the clock of this process, or the index is behind',
        { aheadMs },
      )
    }
  }
}
