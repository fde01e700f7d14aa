import type { PassThrough } from 'node:stream'
import type { Clock } from '@tonplug/core'

/** Shorter than the idle timeouts of common proxies. */
const BEAT_MS = 15_000

/**
 * Creates a set of event streams that get a comment every 15 seconds, with one timer for all. Proxies do not close them, and
 * clients that have disappeared are noticed.
 */
export function createOpenStreams(clock: Clock) {
  const open = new Map<PassThrough, AbortController>()
  let isClosed = false
  let cancelTimer: (() => void) | undefined
  const beat = (): void => {
    for (const stream of open.keys()) if (!stream.writableNeedDrain) stream.write(':\n\n')
    cancelTimer = clock.setTimer(beat, BEAT_MS, { isBackground: true })
  }
  return {
    /** Returns true while a further stream may be opened. */
    hasRoom: (maxStreams: number): boolean => !isClosed && open.size < maxStreams,
    /** Adds a stream. @param left aborted when the stream must end. */
    add(stream: PassThrough, left: AbortController): void {
      open.set(stream, left)
      cancelTimer ??= clock.setTimer(beat, BEAT_MS, { isBackground: true })
    },
    /** Removes a stream, and aborts its signal. */
    delete(stream: PassThrough): void {
      open.get(stream)?.abort()
      open.delete(stream)
      if (open.size > 0) return
      cancelTimer?.()
      cancelTimer = undefined
    },
    /** Aborts the signals of all streams. */
    close(): void {
      isClosed = true
      for (const left of open.values()) left.abort()
    },
  }
}
