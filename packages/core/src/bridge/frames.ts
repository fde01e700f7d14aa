type Result<Frame> = IteratorResult<Frame, undefined>

const DONE: IteratorReturnResult<undefined> = { value: undefined, done: true }

/** Messages that one reader takes one by one. */
export interface Frames<Frame> extends AsyncIterator<Frame, undefined> {
  [Symbol.asyncIterator](): Frames<Frame>
  /** Gives a message to a reader that waits. @returns false, and drops the message, when none waits. */
  offer(frame: Frame): boolean
  /** Resolves when the reader has taken the message, or has left. */
  put(frame: Frame): Promise<void>
  /** Ends after the messages so far. @param error thrown to the reader. */
  end(error?: unknown): void
  /** Ends at once. */
  return(): Promise<IteratorResult<Frame, undefined>>
}

/** @param first the first message; `undefined` for none. @param onEnd called once, when the frames have ended or the reader has left. */
export function createFrames<Frame extends string | object>(
  first: Frame | undefined,
  onEnd: () => void,
): Frames<Frame> {
  let frame = first
  let ended: Promise<Result<Frame>> | undefined
  let read: ((result: Result<Frame> | Promise<Result<Frame>>) => void) | undefined
  let onTaken: (() => void) | undefined
  const taken = (): Promise<void> =>
    frame === undefined ? Promise.resolve() : new Promise((resolve) => (onTaken = resolve))
  const take = (): Result<Frame> => {
    const result: Result<Frame> = frame === undefined ? DONE : { value: frame, done: false }
    frame = undefined
    onTaken?.()
    return result
  }
  const finish = (result: Promise<Result<Frame>>): void => {
    if (ended !== undefined) return
    ended = result
    // The reader may have left.
    ended.catch(() => undefined)
    read?.(ended)
    onEnd()
  }
  const frames: Frames<Frame> = {
    [Symbol.asyncIterator]: () => frames,
    next() {
      if (frame !== undefined) return Promise.resolve(take())
      return ended ?? new Promise((resolve) => (read = resolve))
    },
    offer(value) {
      if (read === undefined || ended !== undefined) return false
      read({ value, done: false })
      read = undefined
      return true
    },
    async put(value) {
      await taken()
      if (ended !== undefined || frames.offer(value)) return
      frame = value
      await taken()
    },
    end: (error) => finish(error === undefined ? Promise.resolve(DONE) : Promise.reject(error)),
    return() {
      finish(Promise.resolve(DONE))
      take()
      return Promise.resolve(DONE)
    },
  }
  return frames
}
