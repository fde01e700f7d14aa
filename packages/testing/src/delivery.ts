import type { Clock } from '@tonplug/core'

const RETRY_DELAYS_MS = [1000, 5000, 15_000]
const ANSWER_TIMEOUT_MS = 10_000

/** The part of `fetch` that a delivery needs. */
export type DeliveryFetch = (
  url: string,
  init: {
    method: 'POST'
    headers: Record<string, string>
    body: string | Uint8Array
    redirect: 'manual'
    signal: AbortSignal
  },
) => Promise<{ status: number; text(): Promise<string> }>

/**
 * One request of a delivery and what came of it: an answer, or the error that stood in its place.
 */
export type DeliveryAttempt = {
  /** Which of the deliveries that were sent at once, from 1. */
  copy: number
  /** 1 for the first one, 4 for the last retry. */
  attempt: number
  /** When it was sent, milliseconds since the Unix epoch. */
  atMs: number
} & (
  | { status: number; body: string; error?: undefined }
  | { status?: undefined; body?: undefined; error: unknown }
)

/** One delivery: what to send, where to, and on which clock. */
export interface DeliveryTask {
  url: string
  headers: Record<string, string>
  body: string | Uint8Array
  copy: number
  clock: Clock
  fetch: DeliveryFetch
  /** Called after each attempt. */
  onAttempt: (attempt: DeliveryAttempt) => void
}

/**
 * Runs one delivery to its end: until an attempt is answered 2xx, or four attempts have failed. An
 * attempt fails by any other status, a network error, or no answer within 10 s; the next ones
 * follow 1 s, 5 s and 15 s later.
 * Source: webhook description, parts 3 and 8.
 */
export async function runDelivery(task: DeliveryTask): Promise<DeliveryAttempt[]> {
  const attempts: DeliveryAttempt[] = []
  for (const delayMs of [0, ...RETRY_DELAYS_MS]) {
    if (delayMs > 0) await wait(task.clock, delayMs)
    const attempt = await makeAttempt(task, attempts.length + 1)
    attempts.push(attempt)
    task.onAttempt(attempt)
    if (isAcknowledged(attempt)) break
  }
  return attempts
}

/** Whether the attempt was answered 2xx, after which nothing is sent again. */
export function isAcknowledged({ status }: DeliveryAttempt): boolean {
  return status !== undefined && status >= 200 && status < 300
}

async function makeAttempt(task: DeliveryTask, attempt: number): Promise<DeliveryAttempt> {
  const { clock, copy } = task
  const facts = { copy, attempt, atMs: clock.nowMs() }
  const abort = new AbortController()
  const cancelTimer = clock.setTimer(() => {
    const text = `no answer within ${ANSWER_TIMEOUT_MS} ms`
    abort.abort(new DOMException(text, 'TimeoutError'))
  }, ANSWER_TIMEOUT_MS)
  try {
    return { ...facts, ...(await send(task, abort.signal)) }
  } catch (error) {
    return { ...facts, error }
  } finally {
    cancelTimer()
  }
}

async function send(
  { fetch, url, headers, body }: DeliveryTask,
  signal: AbortSignal,
): Promise<{ status: number; body: string }> {
  const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
  // The status alone decides: an acknowledgement stands, even when its body breaks off.
  return { status: answer.status, body: await answer.text().catch(() => '') }
}

function wait(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    clock.setTimer(resolve, delayMs)
  })
}
