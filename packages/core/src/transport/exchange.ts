import { NetworkError, ResponseTooLargeError, TimeoutError } from '../errors/http.js'
import type { CallFacts } from '../errors/http.js'
import type { Clock } from '../runtime/clock.js'
import { onAbort, startTimer, untilAborted } from './abort.js'
import type { Fetch, FetchInit } from './options.js'
import { BodyLimitPassed, readBody } from './read-body.js'
import { copyCause, deepestCode, type Redact } from './redact.js'

/** One request, and what it takes to send it. */
export interface Exchange {
  url: string
  init: Omit<FetchInit, 'redirect' | 'signal'>
  /** For the errors. */
  facts: CallFacts
  fetch: Fetch
  clock: Clock
  redact: Redact
  timeoutMs: number
  maxBodyBytes: number
  /** Ends the attempt. */
  signal: AbortSignal
  /** Called when the headers of the answer are there. */
  onHeaders: () => void
}

/** A complete answer as text. */
export interface RawAnswer {
  status: number
  headers: { get(name: string): string | null }
  text: string
}

/**
 * Sends one request and reads its whole answer within `timeoutMs`. Redirects are not followed.
 * @throws {NetworkError} {@link TimeoutError} {@link ResponseTooLargeError}, and the signal's reason.
 */
export async function exchange(given: Exchange): Promise<RawAnswer> {
  const { facts, signal, maxBodyBytes, redact } = given
  let phase: 'headers' | 'body' = 'headers'
  const controller = new AbortController()
  const stopFollowing = onAbort(signal, () => controller.abort(signal.reason))
  const limitMs = given.timeoutMs
  const cancelTimer = startTimer(given.clock, limitMs, () =>
    controller.abort(new TimeoutError({ ...facts, scope: 'attempt', phase, limitMs })),
  )
  const onHeaders = (): void => {
    phase = 'body'
    given.onHeaders()
  }
  try {
    const answer = receive({ ...given, onHeaders }, controller.signal)
    // A fetch that ignores its signal must not keep the caller.
    return await untilAborted(answer, controller.signal)
  } catch (error) {
    controller.signal.throwIfAborted()
    if (error instanceof BodyLimitPassed)
      throw new ResponseTooLargeError({ ...facts, maxBodyBytes })
    const code = deepestCode(error)
    const reason = code === undefined ? undefined : redact(code)
    throw new NetworkError({ ...facts, phase, reason, cause: copyCause(error, redact) })
  } finally {
    cancelTimer()
    stopFollowing()
  }
}

async function receive(given: Exchange, signal: AbortSignal): Promise<RawAnswer> {
  signal.throwIfAborted()
  const response = await given.fetch(given.url, { ...given.init, redirect: 'manual', signal })
  if (!signal.aborted) given.onHeaders()
  const { status, headers } = response
  const text = await readBody(response, { maxBytes: given.maxBodyBytes, signal })
  return { status, headers, text }
}
