import type { Clock } from '../runtime/clock.js'

/** Longest delay that timers take; beyond it they would fire at once. Longer waits never end by themselves. */
const MAX_TIMER_MS = 2_147_483_647

/** Calls back after `delayMs`; never, when that is longer than 24 days. @returns a function that cancels it. */
export function startTimer(clock: Clock, delayMs: number, callback: () => void): () => void {
  if (delayMs > MAX_TIMER_MS) return () => undefined
  return clock.setTimer(callback, Math.ceil(delayMs))
}

// One listener for each signal: a server may give the signal of one visitor to many calls, and Node warns of a leak
// when a signal has more than ten.
const callbacksOf = new WeakMap<AbortSignal, Set<() => void>>()

/** Calls back when the signal is aborted, at once if it is. @returns a function that takes it back. */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  if (signal.aborted) {
    callback()
    return () => undefined
  }
  const callbacks = callbacksOf.get(signal) ?? listen(signal)
  const own = (): void => callback()
  callbacks.add(own)
  return () => {
    if (callbacks.delete(own) && callbacks.size === 0) stopListening(signal)
  }
}

function listen(signal: AbortSignal): Set<() => void> {
  const callbacks = new Set<() => void>()
  callbacksOf.set(signal, callbacks)
  signal.addEventListener('abort', callAll)
  return callbacks
}

// A listener keeps some signals in memory, those of AbortSignal.any() and AbortSignal.timeout() in Node.
function stopListening(signal: AbortSignal): void {
  callbacksOf.delete(signal)
  signal.removeEventListener('abort', callAll)
}

function callAll(this: AbortSignal): void {
  const callbacks = callbacksOf.get(this)
  stopListening(this)
  for (const callback of callbacks ?? []) callback()
}

/**
 * Settles as `work` does, or as soon as the signal is aborted. What the work comes to afterwards is ignored.
 * @throws the signal's reason.
 */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stopListening = onAbort(signal, () => reject(signal.reason))
    work.then(resolve, reject).finally(stopListening)
  })
}

/** Resolves after `delayMs`. @throws the signal's reason, as soon as it is aborted. */
export function sleep(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancelTimer = startTimer(clock, delayMs, () => {
      stopListening()
      resolve()
    })
    const stopListening = onAbort(signal, () => {
      cancelTimer()
      reject(signal.reason)
    })
  })
}
