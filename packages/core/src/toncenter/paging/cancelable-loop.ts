import { linkAbort } from '../../shared/abort.js'

interface CancelableLoop<Item> {
  next(): Promise<IteratorResult<Item, void>>
  return(): Promise<IteratorResult<Item, void>>
  [Symbol.asyncIterator](): CancelableLoop<Item>
}

/**
 * Runs a generator that can be left at any moment: `return()` also ends the current request or wait, which that of a
 * generator would await. Nothing starts before the first `next()`.
 * @param start creates the generator; its signal is aborted when the loop is left, and with `outer`, for the same reason
 */
export function cancelableLoop<Item>(
  start: (signal: AbortSignal) => AsyncGenerator<Item, void, undefined>,
  outer: AbortSignal | undefined,
): CancelableLoop<Item> {
  const controller = new AbortController()
  const loop = start(controller.signal)
  let unlink: (() => void) | undefined
  let isLeft = false

  /** Ends all pending requests, including prefetched ones. */
  const end = (): void => {
    unlink?.()
    controller.abort()
  }

  return {
    async next() {
      if (!isLeft) unlink ??= linkAbort(outer, controller)
      try {
        const result = await loop.next()
        if (result.done === true) end()
        return result
      } catch (error) {
        end()
        // The wait ended because the loop was left.
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
