import type { IncomingMessage } from 'node:http'

const delays = new WeakMap<IncomingMessage, number>()

/** Notes how long a request was held up before it came to the receiver. */
export function noteDelay(request: IncomingMessage, delayMs: number): void {
  delays.set(request, delayMs)
}

/** Milliseconds that {@link noteDelay} noted; 0 for other requests. */
export function delayOf(request: IncomingMessage): number {
  return delays.get(request) ?? 0
}
