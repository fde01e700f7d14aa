import { inspect } from 'node:util'
import { Logger as NestLogger } from '@nestjs/common'
import type { LogFields, Logger } from '@tonplug/core'

/** Core's log lines through Nest's logger, whichever the app has set: one text each, fields behind the message. */
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

function toText(message: string, fields: LogFields = {}): string {
  if (Object.keys(fields).length === 0) return message
  return `${message} ${inspect(fields, { breakLength: Infinity, depth: 4 })}`
}
