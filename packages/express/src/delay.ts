import type { IncomingMessage } from 'node:http'

const delays = new WeakMap<IncomingMessage, number>()

/** Stores how long a request was delayed before it reached the receiver. */
export function storeDelay(request: IncomingMessage, delayMs: number): void {
  delays.set(request, delayMs)
}

/** Returns the milliseconds that {@link storeDelay} stored; 0 for other requests. */
export function delayOf(request: IncomingMessage): number {
  return delays.get(request) ?? 0
}
