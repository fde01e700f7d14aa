import type { Clock } from './clock.js'

const QUIET_MS = 60_000

/** Returns how many events were suppressed since the last one of this key; `undefined` to suppress this one, too. */
export type LogLimit = (key: string) => number | undefined

/** Creates a limit of one log line per key and minute. */
export function createLogLimit(clock: Clock): LogLimit {
  const quiet = new Map<string, { untilMs: number; suppressed: number }>()
  return (key) => {
    const last = quiet.get(key)
    if (last !== undefined && clock.nowMs() < last.untilMs) {
      last.suppressed++
      return undefined
    }
    quiet.set(key, { untilMs: clock.nowMs() + QUIET_MS, suppressed: 0 })
    return last?.suppressed ?? 0
  }
}
