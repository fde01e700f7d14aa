import { Logger as NestLogger } from '@nestjs/common'
import type { Logger } from '@tonplug/core'

/**
 * Creates a logger for core that writes to Nest's logger: the message, or an object of the fields with the message as `msg`,
 * which is pino's name of it.
 */
export function createNestLogger(context: string): Logger {
  const logger = new NestLogger(context)
  const write =
    (level: 'debug' | 'log' | 'warn' | 'error') =>
    (message: string, fields?: Record<string, unknown>): void =>
      logger[level](fields === undefined ? message : { msg: message, ...fields })
  return { debug: write('debug'), info: write('log'), warn: write('warn'), error: write('error') }
}
