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
