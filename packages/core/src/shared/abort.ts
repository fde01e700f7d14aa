// One listener per signal: a server may pass the signal of one visitor to many calls, and Node warns of a leak when a
// signal has more than ten.
const callbacksOf = new WeakMap<AbortSignal, Set<() => void>>()

/** Calls `callback` when the signal is aborted, at once if it is. @returns a function that removes it. */
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

// In Node, a listener keeps signals of AbortSignal.any() and AbortSignal.timeout() in memory.
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
 * Aborts the controller when the signal is aborted, with the same reason.
 * @returns a function that unlinks them.
 */
export function linkAbort(
  signal: AbortSignal | undefined,
  controller: AbortController,
): () => void {
  return signal === undefined
    ? () => undefined
    : onAbort(signal, () => controller.abort(signal.reason))
}

/**
 * Settles with `work`, or as soon as the signal is aborted. A later result of the work is ignored.
 * @throws the signal's reason.
 */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stopListening = onAbort(signal, () => reject(signal.reason))
    work.then(resolve, reject).finally(stopListening)
  })
}
