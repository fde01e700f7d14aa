import type { ErrorRequestHandler, RequestHandler } from 'express'
import { describe, expect, it } from 'vitest'
import { captureRawBody } from '../src/capture-raw-body.js'
import { tonplugClients } from '../src/clients-middleware.js'
import { tonplugHealth } from '../src/health-middleware.js'
import { saveRawBody } from '../src/save-raw-body.js'
import { tonplugWebhook } from '../src/webhook-middleware.js'
import { expressVersions } from './support/express-versions.js'
import { listen } from './support/listen.js'
import { createShop, deliver, deliveries } from './support/shop.js'

const showError: ErrorRequestHandler = (error: Error, _request, response, _next) => {
  response.status(500).send(error.message)
}

/** What the compiler refuses and JavaScript does not: the casts below stand for its absence. */
const uncalled: Record<string, [middleware: unknown, message: string]> = {
  saveRawBody: [saveRawBody, 'saveRawBody: is not a middleware; give it to a parser'],
  captureRawBody: [captureRawBody, 'captureRawBody: was mounted without being called; write app'],
  tonplugClients: [tonplugClients, 'tonplugClients: was mounted without being called; write app'],
  tonplugHealth: [tonplugHealth, 'tonplugHealth: was mounted without being called; write app'],
  tonplugWebhook: [tonplugWebhook, 'tonplugWebhook: was mounted without being called; write app'],
}

describe.each(expressVersions)('what is mounted wrongly tells so, %s', (_version, express) => {
  it.each(Object.entries(uncalled))('%s without a call', async (_name, [middleware, message]) => {
    const app = express().use(middleware as RequestHandler, showError)
    const { url } = await listen(app)
    const answer = await fetch(url)
    expect([answer.status, await answer.text()]).toEqual([500, expect.stringContaining(message)])
  })

  it("a receiver's handle, and the process lives on", async () => {
    const { handle } = createShop().receiver as unknown as { handle: RequestHandler }
    const { url } = await listen(express().post('/webhooks/ton', handle).use(showError))
    expect(await deliver(`${url}/webhooks/ton`, deliveries.valid)).toMatchObject({
      status: 500,
      body: expect.stringContaining('tonplugWebhook(receiver) of @tonplug/express'),
    })
  })
})

describe('a health middleware', () => {
  it.each([[undefined], [{}], [{ secrets: 's' }]])('does not take %j for a receiver', (given) => {
    expect(() => tonplugHealth(given as never)).toThrow(
      `tonplugHealth: is a ${typeof given} without health(); give a receiver or a reconciler`,
    )
  })
})
