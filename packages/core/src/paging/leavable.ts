import { onAbort } from '../transport/abort.js'

/** A loop that can be left while it waits. */
interface Leavable<Item> {
  next(): Promise<IteratorResult<Item, void>>
  return(): Promise<IteratorResult<Item, void>>
  [Symbol.asyncIterator](): Leavable<Item>
}

/**
 * Runs a loop that can be left at any moment: `return()` also ends a request or a wait that is under way, where that of
 * a generator would come after it. Nothing begins before the first `next()`.
 * @param begin makes the loop; its signal is aborted when the loop is left, and with `outer`, for the same reason
 */
export function leavable<Item>(
  begin: (signal: AbortSignal) => AsyncGenerator<Item, void, undefined>,
  outer: AbortSignal | undefined,
): Leavable<Item> {
  const controller = new AbortController()
  const loop = begin(controller.signal)
  let stopListening: (() => void) | undefined
  let isLeft = false

  const listen = (): void => {
    if (outer === undefined) return
    stopListening ??= onAbort(outer, () => controller.abort(outer.reason))
  }
  /** Ends whatever is under way, requests that were begun ahead included. */
  const end = (): void => {
    stopListening?.()
    controller.abort()
  }

  return {
    async next() {
      if (!isLeft) listen()
      try {
        const result = await loop.next()
        if (result.done === true) end()
        return result
      } catch (error) {
        end()
        // What was waited for ended because the loop was left.
        if (isLeft) return { done: true, value: undefined }
        throw error
      }
    },
    async return() {
      isLeft = true
      end()
      await loop.return()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
