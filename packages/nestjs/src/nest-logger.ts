import { inspect } from 'node:util'
import { Logger as NestLogger } from '@nestjs/common'
import type { Logger } from '@tonplug/core'

/** Creates a logger for core that writes to Nest's logger: the message, or a {@link LogLine} if it has fields. */
export function createNestLogger(context: string): Logger {
  const logger = new NestLogger(context)
  const write =
    (level: 'debug' | 'log' | 'warn' | 'error') =>
    (message: string, fields?: Record<string, unknown>): void =>
      logger[level](fields === undefined ? message : new LogLine(message, fields))
  return { debug: write('debug'), info: write('log'), warn: write('warn'), error: write('error') }
}

/**
 * A message with fields. Nest's console prints it as one line of text; loggers that write records find the fields as own
 * properties, and the message as `msg`, which is pino's name of it.
 */
class LogLine {
  readonly msg: string

  constructor(msg: string, fields: Record<string, unknown>) {
    this.msg = msg
    Object.assign(this, fields)
  }

  /** For Nest 10. */
  toString(): string {
    const { msg, ...fields } = this
    return `${msg} ${inspect(fields, { breakLength: Infinity, compact: true, depth: 6 })}`
  }

  /** For Nest 11 and 12. */
  [inspect.custom](): string {
    return this.toString()
  }
}
