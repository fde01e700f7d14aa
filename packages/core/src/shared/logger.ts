import type { Clock } from './clock.js'

/** One method per level. `fields` are references, kinds, counts and errors; never a secret, a signature or a body. */
export interface Logger {
  debug(message: string, fields?: Record<string, unknown>): void
  info(message: string, fields?: Record<string, unknown>): void
  warn(message: string, fields?: Record<string, unknown>): void
  error(message: string, fields?: Record<string, unknown>): void
}

/** The default: warnings and errors go to the console, `debug` and `info` nowhere. */
export const consoleLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: (message, fields) => write('warn', message, fields),
  error: (message, fields) => write('error', message, fields),
}

function write(
  level: 'warn' | 'error',
  message: string,
  fields: Record<string, unknown> | undefined,
): void {
  const text = `[tonplug] ${message}`
  if (fields === undefined) console[level](text)
  else console[level](text, fields)
}

/** Wraps a logger and ignores its errors: a log line must not undo a payment. */
export function guardLogger(logger: Logger): Logger {
  const guard =
    (level: keyof Logger) =>
    (message: string, fields?: Record<string, unknown>): void => {
      try {
        logger[level](message, fields)
      } catch {
        // Nothing can report it.
      }
    }
  return { debug: guard('debug'), info: guard('info'), warn: guard('warn'), error: guard('error') }
}

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
