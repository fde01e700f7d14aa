import type { Clock } from '@tonplug/core'

const RESPONSE_TIMEOUT_MS = 10_000
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

/** One request of a delivery, with its response or its error. */
export type DeliveryAttempt = {
  /** Number of the delivery, from 1. */
  delivery: number
  /** Number of the copy, from 1, when several are sent concurrently. */
  copy: number
  /** 1 for the first one, 4 for the last retry. */
  attempt: number
  /** When it was sent, milliseconds since the Unix epoch. */
  atMs: number
  /** Time until the response or the error, milliseconds, by the clock of the mock gateway. */
  durationMs: number
} & (
  | {
      status: number
      /** The first 16 KiB. */
      body: string
      error?: undefined
    }
  | { status?: undefined; body?: undefined; error: unknown }
)

/** An attempt with its request and the headers of its response. */
export type LoggedAttempt = DeliveryAttempt & {
  /** The request as sent, with its signature and faults. */
  sent: { url: string; headers: Record<string, string>; body: Uint8Array }
  /** Absent without a response. */
  responseHeaders?: Record<string, string>
}

/** One request. */
export interface Transmission {
  headers: Record<string, string>
  body: Uint8Array
  /** The part that is lost on the network. */
  lost?: 'request' | 'response' | undefined
  /** Delay in the middle of the body, milliseconds. */
  pauseMs: number
}

/** Where and how requests are sent. */
export interface Line {
  url: string
  clock: Clock
  fetch: DeliveryFetch
  /** Aborted when the mock gateway closes. */
  closing: AbortSignal
}

/** Makes one request. It fails after a network error, or without a response within 10 s. */
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
    const text = `no response within ${RESPONSE_TIMEOUT_MS} ms`
    ending.abort(new DOMException(text, 'TimeoutError'))
  }, RESPONSE_TIMEOUT_MS)
  const outcome = await exchange(line, transmission, ending.signal).catch((error: unknown) => ({
    error,
  }))
  cancelTimer()
  closing.removeEventListener('abort', close)
  // Ends a request that is still being sent or read.
  ending.abort()
  const durationMs = clock.nowMs() - atMs
  return { ...place, atMs, durationMs, sent: { url, headers, body }, ...outcome }
}

async function exchange(
  { url, clock, fetch }: Line,
  { headers, body, lost, pauseMs }: Transmission,
  signal: AbortSignal,
): Promise<{ status: number; responseHeaders: Record<string, string>; body: string }> {
  if (lost === 'request') await untilAborted(signal)
  const response = await fetch(url, {
    method: 'POST',
    headers,
    body: pauseMs > 0 ? withPause(body, { pauseMs, clock, signal }) : body,
    duplex: 'half',
    redirect: 'manual',
    signal,
  })
  if (lost === 'response') throw new TypeError('the connection closed before the response')
  // Only the status counts, even when the body is incomplete.
  return {
    status: response.status,
    responseHeaders: Object.fromEntries(response.headers),
    body: await readStart(response.body),
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
    // The connection was reset; the received part is kept.
  }
  await reader.cancel().catch(() => undefined)
  return Buffer.concat(chunks).subarray(0, KEPT_ANSWER_BYTES).toString()
}
