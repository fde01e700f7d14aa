import type { ServerResponse } from 'node:http'
import type { Clock } from '@tonplug/core'

/** Shorter than the idle timeouts of common proxies. */
const BEAT_MS = 15_000

/**
 * Creates a set of event streams that get a comment every 15 seconds, with one timer for all. Proxies do not close them, and
 * clients that have disappeared are noticed.
 */
export function createHeartbeat(clock: Clock) {
  const streams = new Set<ServerResponse>()
  let cancelTimer: (() => void) | undefined
  const beat = (): void => {
    for (const stream of streams) if (!stream.writableNeedDrain) stream.write(':\n\n')
    cancelTimer = clock.setTimer(beat, BEAT_MS, { isBackground: true })
  }
  return {
    /** Returns the number of open streams. */
    size: (): number => streams.size,
    add(stream: ServerResponse): void {
      streams.add(stream)
      cancelTimer ??= clock.setTimer(beat, BEAT_MS, { isBackground: true })
    },
    delete(stream: ServerResponse): void {
      streams.delete(stream)
      if (streams.size > 0) return
      cancelTimer?.()
      cancelTimer = undefined
    },
  }
}
