import { inspect } from 'node:util'
import { Logger as NestLogger } from '@nestjs/common'
import type { Logger } from '@tonplug/core'

/** Creates a logger for core that writes to Nest's logger, with the fields after the message in one string. */
export function createNestLogger(context: string): Logger {
  const logger = new NestLogger(context)
  return {
    debug: (message, fields) => logger.debug(toText(message, fields)),
    info: (message, fields) => logger.log(toText(message, fields)),
    warn: (message, fields) => logger.warn(toText(message, fields)),
    error: (message, { error, ...fields } = {}) =>
      // Nest prints the second argument as the stack.
      logger.error(toText(message, fields), error === undefined ? undefined : inspect(error)),
  }
}

function toText(message: string, fields: Record<string, unknown> = {}): string {
  if (Object.keys(fields).length === 0) return message
  return `${message} ${inspect(fields, { breakLength: Infinity, depth: 4 })}`
}
