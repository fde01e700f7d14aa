import { createPause } from '../../shared/timers.js'
import { runInside } from '../../shared/instrumentation.js'
import type { Clock } from '../../shared/clock.js'
import type { PaymentsInstrumentation } from './instrumentation.js'

/** The longest delay of a timer, for a poller that others wake. */
export const NEVER_MS = 2 ** 31 - 1

/** Options of {@link createPoller}. */
export interface PollerOptions {
  name: string
  clock: Clock
  instrumentation: PaymentsInstrumentation
  /** Does the work that is due. Never rejects. @returns the delay until the next turn, milliseconds. */
  takeTurn: () => Promise<number>
}

/** Repeats a turn until it is stopped: when its delay is over, or when it is woken. */
export interface Poller {
  start(): void
  /** Begins a turn now, or right after the running one. */
  wake(): void
  /** Begins no new turn; resolves when the running one has ended. */
  stop(): Promise<void>
}

/**
 * Creates a poller. All turns run in the async context of `start`: an `await` continues in the context of its function, so
 * nothing runs in the context of a request that has called `wake`.
 */
export function createPoller(options: PollerOptions): Poller {
  const { name, clock, instrumentation, takeTurn } = options
  let loop: Promise<void> | undefined
  let isWoken = false
  let isStopped = false
  const pause = createPause(clock, { isBackground: true })
  const run = async (): Promise<void> => {
    let delayMs = 0
    while (!isStopped) {
      await pause.sleep(isWoken ? 0 : delayMs)
      isWoken = false
      if (isStopped) return
      delayMs = await runInside(instrumentation.background, () => ({ payments: name }), takeTurn)
    }
  }

  return {
    start: () => void (loop ??= run()),
    wake() {
      isWoken = true
      pause.wake()
    },
    async stop() {
      isStopped = true
      pause.wake()
      await loop
    },
  }
}
