import type { WebhookReceiver } from '@tonplug/core'
import type { MakeHarness, TestRunner } from './runner.js'
import { describeBytes } from './webhook-bytes.js'
import { describeConnections } from './webhook-connections.js'
import { describeDecisions } from './webhook-decisions.js'
import { describeHeaders } from './webhook-headers.js'
import { describeRaces } from './webhook-races.js'
import { describeRefusals } from './webhook-refusals.js'
import { describeSecrecy } from './webhook-secrecy.js'
import { describeUnavailable } from './webhook-unavailable.js'
import { describeWire } from './webhook-wire.js'

/** A framework adapter under test. */
export interface WebhookAdapterHarness {
  /** Mounts the receiver in an app of the framework, for every method, and lets the app listen. */
  start: (receiver: WebhookReceiver) => Promise<{
    /** The webhook route. */
    url: string
    /** Ends the app, open connections included. */
    close: () => Promise<void>
  }>
}

/**
 * Defines the tests that every framework adapter has to pass. They create the receivers and talk
 * HTTP to the app: each answer of the receiver, the exact bytes, both signature headers, deliveries
 * at once, senders that break off, requests that no HTTP client sends.
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
 *     const answer = await receiver.receive({ method, url, headers, rawBody })
 *     response.writeHead(answer.status, answer.headers).end(answer.body)
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
  const suite = { makeHarness, runner }
  runner.describe(`webhook adapter: ${name}`, () => {
    describeDecisions(suite)
    describeRefusals(suite)
    describeUnavailable(suite)
    describeHeaders(suite)
    describeBytes(suite)
    describeRaces(suite)
    describeConnections(suite)
    describeSecrecy(suite)
    describeWire(suite)
  })
}
