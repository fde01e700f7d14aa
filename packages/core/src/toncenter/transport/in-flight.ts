import { untilAborted } from '../../shared/abort.js'
import { startTimer } from '../../shared/clock.js'
import { RequestTimeoutError } from '../errors/http.js'
import type { Call, Progress, Success } from './attempt.js'
import { sendWithRetries } from './retry.js'

/** A request in flight with its retries. Equal reads share it. */
export interface InFlight {
  readonly progress: Readonly<Progress>
  /** Waits for the result. When the last caller has aborted, the request ends. @throws the signal's reason. */
  join(signal: AbortSignal | undefined): Promise<Success>
}

export interface CallDeadline {
  /** Time on the clock of the transport; in the future. */
  atMs: number
  /** The whole time of the call, for errors. */
  limitMs: number
}

/**
 * Sends a request, and retries it until its deadline.
 * @param attempts requests sent for the same call before
 * @param onEnd called when no further caller may join
 */
export function sendInFlight(
  call: Call,
  attempts: number,
  { atMs, limitMs }: CallDeadline,
  onEnd: () => void,
): InFlight {
  const { clock } = call.options
  const controller = new AbortController()
  const { signal } = controller
  const progress: Progress = { attempts, signal, deadlineAtMs: atMs, phase: 'queue' }
  const cancelTimer = startTimer(clock, atMs - clock.nowMs(), () => {
    const { endpoint } = call.request
    const facts = { endpoint, attempts: progress.attempts, phase: progress.phase, limitMs }
    const cause = progress.lastError
    controller.abort(new RequestTimeoutError({ ...facts, cause, scope: 'deadline' }))
  })
  const result = untilAborted(sendWithRetries(call, progress), signal)
  const end = (): void => {
    cancelTimer()
    onEnd()
  }
  result.then(end, (error: unknown) => {
    end()
    // Leaves the queue of the limiter.
    controller.abort(error)
  })
  let callers = 0
  return {
    progress,
    async join(own) {
      callers++
      try {
        return await (own === undefined ? result : untilAborted(result, own))
      } finally {
        callers--
        if (callers === 0 && own?.aborted === true) {
          end()
          controller.abort(own.reason)
        }
      }
    },
  }
}
