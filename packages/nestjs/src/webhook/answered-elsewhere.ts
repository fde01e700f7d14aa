import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '@tonplug/core'
import type { TonplugInstances } from '../instances.js'
import { findReceived } from './webhook-endpoint.js'

const LOG_EVERY_MS = 60_000

/**
 * Returns a function that watches the response to a signed request. A 2xx of another route, middleware or interceptor is
 * logged at most once a minute: the sender does not repeat the delivery.
 */
export function createResponseWatch(instances: TonplugInstances) {
  let loggedAtMs = -Infinity
  return (request: IncomingMessage, response: ServerResponse, clock: Clock): void => {
    response.once('finish', () => {
      const { statusCode: status } = response
      if (status >= 300 || findReceived(request) !== undefined) return
      if (clock.nowMs() - loggedAtMs < LOG_EVERY_MS) return
      loggedAtMs = clock.nowMs()
      const { url = '' } = request
      instances.log(
        'error',
        'delivery not recorded: another route, middleware or interceptor responded first; register the webhook before it',
        { path: url.split('?', 1)[0], status },
      )
    })
  }
}
