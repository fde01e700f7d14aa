/** Plain facts that go with a log line. Never a secret, a signature or a body. */
export type LogFields = Record<string, unknown>

/** One method per level; `fields` holds references, kinds, counts and errors, never a secret, a signature or a body. */
export interface Logger {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
}

/** The default: warnings and errors go to the console, `debug` and `info` nowhere. */
export const consoleLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: (message, fields) => write('warn', message, fields),
  error: (message, fields) => write('error', message, fields),
}

function write(level: 'warn' | 'error', message: string, fields: LogFields | undefined): void {
  const text = `[tonplug] ${message}`
  if (fields === undefined) console[level](text)
  else console[level](text, fields)
}

/** The same logger, except that what it throws is dropped: a log line must not undo a payment. */
export function guardLogger(logger: Logger): Logger {
  const guard =
    (level: keyof Logger) =>
    (message: string, fields?: LogFields): void => {
      try {
        logger[level](message, fields)
      } catch {
        // There is nobody left to tell.
      }
    }
  return { debug: guard('debug'), info: guard('info'), warn: guard('warn'), error: guard('error') }
}
