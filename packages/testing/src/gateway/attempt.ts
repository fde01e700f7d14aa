import type { Clock } from '@tonplug/core'

const ANSWER_TIMEOUT_MS = 10_000
const KEPT_ANSWER_BYTES = 16_384

/** The part of `fetch` that a delivery needs. */
export type DeliveryFetch = (
  url: string,
  init: {
    method: 'POST'
    headers: Record<string, string>
    body: Uint8Array | ReadableStream<Uint8Array>
    duplex: 'half'
    redirect: 'manual'
    signal: AbortSignal
  },
) => Promise<{
  status: number
  headers: Iterable<[string, string]>
  body: ReadableStream<Uint8Array> | null
}>

/** One request of a delivery and what came of it: an answer, or the error that stood in its place. */
export type DeliveryAttempt = {
  /** Which delivery of this stand-in, from 1. */
  delivery: number
  /** Which of the copies that were sent at once, from 1. */
  copy: number
  /** 1 for the first one, 4 for the last retry. */
  attempt: number
  /** When it was sent, milliseconds since the Unix epoch. */
  atMs: number
  /** How long the answer took, or the time until it was given up; on the stand-in's clock. */
  durationMs: number
} & (
  | {
      status: number
      /** Its first 16 KiB. */
      body: string
      error?: undefined
    }
  | { status?: undefined; body?: undefined; error: unknown }
)

/** An attempt with all that is known of it. */
export type LoggedAttempt = DeliveryAttempt & {
  /** What was sent, the signature and faults included. */
  sent: { url: string; headers: Record<string, string>; body: Uint8Array }
  /** Absent where there was no answer. */
  answerHeaders?: Record<string, string>
}

/** How one request goes out. */
export interface Transmission {
  headers: Record<string, string>
  body: Uint8Array
  /** What gets lost on its way. */
  lost?: 'request' | 'answer' | undefined
  /** How long to rest in the middle of the body. */
  pauseMs: number
}

/** Where requests go, by what, and until when. */
export interface Line {
  url: string
  clock: Clock
  fetch: DeliveryFetch
  /** Aborted when the stand-in closes. */
  closing: AbortSignal
}

/** Makes one request. It fails by a network error, or when there is no answer within 10 s. */
export async function makeAttempt(
  line: Line,
  transmission: Transmission,
  place: Pick<DeliveryAttempt, 'delivery' | 'copy' | 'attempt'>,
): Promise<LoggedAttempt> {
  const { clock, url, closing } = line
  const { headers, body } = transmission
  const atMs = clock.nowMs()
  const ending = new AbortController()
  const close = (): void => ending.abort(closing.reason)
  closing.addEventListener('abort', close)
  const cancelTimer = clock.setTimer(() => {
    const text = `no answer within ${ANSWER_TIMEOUT_MS} ms`
    ending.abort(new DOMException(text, 'TimeoutError'))
  }, ANSWER_TIMEOUT_MS)
  const outcome = await exchange(line, transmission, ending.signal).catch((error: unknown) => ({
    error,
  }))
  cancelTimer()
  closing.removeEventListener('abort', close)
  // What is still being sent or read is of no use any more.
  ending.abort()
  const durationMs = clock.nowMs() - atMs
  return { ...place, atMs, durationMs, sent: { url, headers, body }, ...outcome }
}

async function exchange(
  { url, clock, fetch }: Line,
  { headers, body, lost, pauseMs }: Transmission,
  signal: AbortSignal,
): Promise<{ status: number; answerHeaders: Record<string, string>; body: string }> {
  if (lost === 'request') await untilAborted(signal)
  const answer = await fetch(url, {
    method: 'POST',
    headers,
    body: pauseMs > 0 ? withPause(body, { pauseMs, clock, signal }) : body,
    duplex: 'half',
    redirect: 'manual',
    signal,
  })
  if (lost === 'answer') throw new TypeError('the connection broke ahead of the answer')
  // The status alone decides: an acknowledgement stands, even when its body breaks off.
  return {
    status: answer.status,
    answerHeaders: Object.fromEntries(answer.headers),
    body: await readStart(answer.body),
  }
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    // An abort's reason is always an error here.
    const fail = (): void => reject(signal.reason as Error)
    if (signal.aborted) fail()
    else signal.addEventListener('abort', fail)
  })
}

/** Half of the body, a pause, and the other half. */
function withPause(
  body: Uint8Array,
  { pauseMs, clock, signal }: { pauseMs: number; clock: Clock; signal: AbortSignal },
): ReadableStream<Uint8Array> {
  const middle = Math.ceil(body.length / 2)
  return new ReadableStream({
    start(controller) {
      controller.enqueue(body.subarray(0, middle))
      const cancelTimer = clock.setTimer(() => {
        controller.enqueue(body.subarray(middle))
        controller.close()
      }, pauseMs)
      signal.addEventListener('abort', cancelTimer)
    },
  })
}

async function readStart(body: ReadableStream<Uint8Array> | null): Promise<string> {
  if (body === null) return ''
  const reader = body.getReader()
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    while (length < KEPT_ANSWER_BYTES) {
      const { done, value } = await reader.read()
      if (done) break
      chunks.push(value)
      length += value.length
    }
  } catch {
    // It broke off; what has come is kept.
  }
  await reader.cancel().catch(() => undefined)
  return Buffer.concat(chunks).subarray(0, KEPT_ANSWER_BYTES).toString()
}
