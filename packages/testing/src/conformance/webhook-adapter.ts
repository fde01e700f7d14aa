import type { WebhookAdapterHarness } from './webhook-harness.js'
import type { MakeHarness, TestRunner } from './runner.js'
import { describeBytes } from './webhook-bytes.js'
import { describeConnections } from './webhook-connections.js'
import { describeDecisions } from './webhook-decisions.js'
import { describeErrors } from './webhook-errors.js'
import { describeHeaders } from './webhook-headers.js'
import { describeRaces } from './webhook-races.js'
import { describeRefusals } from './webhook-refusals.js'
import { describeSecrecy } from './webhook-secrecy.js'
import { describeUnavailable } from './webhook-unavailable.js'
import { createWebhookSuite } from './webhook-shop.js'
import { describeWire } from './webhook-wire.js'

/**
 * Defines the tests that every framework adapter must pass. They create Payments and its receiver and send HTTP requests to
 * the app: each response of the receiver, the exact bytes, both signature headers, concurrent deliveries, senders that
 * disconnect, errors that must not reach the sender, and requests that no HTTP client sends.
 * @param makeHarness called once for each test.
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 * import type { AddressInfo } from 'node:net'
 * import { describe, it } from 'node:test'
 * import { readNodeBody } from '@tonplug/core'
 * import { describeWebhookAdapter, type WebhookAdapterHarness } from '@tonplug/testing'
 *
 * const start: WebhookAdapterHarness['start'] = async (receiver) => {
 *   const server = createServer(async (request, response) => {
 *     const { method, url, headers } = request
 *     const rawBody = readNodeBody(request)
 *     try {
 *       const answer = await receiver.receive({ method, url, headers, rawBody })
 *       response.writeHead(answer.status, answer.headers).end(answer.body)
 *     } catch (error) {
 *       console.error(error)
 *       response.writeHead(500).end()
 *     }
 *   })
 *   await new Promise<void>((resolve) => server.listen(0, resolve))
 *   return {
 *     url: `http://localhost:${(server.address() as AddressInfo).port}/webhooks/ton`,
 *     close: async () => {
 *       server.closeAllConnections()
 *       await new Promise((resolve) => server.close(resolve))
 *     },
 *   }
 * }
 * describeWebhookAdapter('node:http', () => ({ start }), { describe, it })
 * ```
 */
export function describeWebhookAdapter(
  name: string,
  makeHarness: MakeHarness<WebhookAdapterHarness>,
  runner: TestRunner,
): void {
  const suite = createWebhookSuite(makeHarness, runner)
  runner.describe(`webhook adapter: ${name}`, () => {
    describeDecisions(suite)
    describeRefusals(suite)
    describeUnavailable(suite)
    describeErrors(suite)
    describeHeaders(suite)
    describeBytes(suite)
    describeRaces(suite)
    describeConnections(suite)
    describeSecrecy(suite)
    describeWire(suite)
  })
}
