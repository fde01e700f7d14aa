import type { ErrorRequestHandler, RequestHandler } from 'express'
import request from 'supertest'
import { describe, expect, it } from 'vitest'
import { keepRawBody } from '../src/keep-raw-body.js'
import { tonplugClients } from '../src/clients-middleware.js'
import { tonplugHealth } from '../src/health-middleware.js'
import { tonplugWebhook } from '../src/webhook-middleware.js'
import { expressVersions } from './support/express-versions.js'
import { listen } from './support/listen.js'
import { collectCrashes } from './support/collect-crashes.js'
import { createShop, deliver, deliveries } from './support/shop.js'

const showError: ErrorRequestHandler = (error: Error, _request, response, _next) => {
  response.status(500).send(error.message)
}

/** Errors that the compiler reports and JavaScript does not; the casts below replace missing types. */
const uncalled: Record<string, [middleware: unknown, message: string]> = {
  keepRawBody: [keepRawBody, 'keepRawBody: is not a middleware; pass it to a parser'],
  tonplugClients: [tonplugClients, 'tonplugClients: was mounted without being called; write app'],
  tonplugHealth: [tonplugHealth, 'tonplugHealth: was mounted without being called; write app'],
  tonplugWebhook: [tonplugWebhook, 'tonplugWebhook: was mounted without being called; write app'],
}

describe.each(expressVersions)(
  'a middleware that is mounted incorrectly, %s',
  (_version, express) => {
    it.each(Object.entries(uncalled))(
      'reports %s that was not called',
      async (_name, [middleware, message]) => {
        const app = express().use(middleware as RequestHandler, showError)
        const { url } = await listen(app)
        const answer = await request(url).get('/')
        expect([answer.status, answer.text]).toEqual([500, expect.stringContaining(message)])
      },
    )

    it.each(['receive', 'handle'] as const)(
      'S79 passes a ConfigurationError to the error handler for receiver.%s',
      async (name) => {
        const crashes = collectCrashes()
        const receiver = createShop().receiver as unknown as Record<string, RequestHandler>
        const caught: unknown[] = []
        const onError: ErrorRequestHandler = (error, _request, response, _next) => {
          caught.push(error)
          response.status(500).send('sorry')
        }
        const app = express()
          .post('/webhooks/ton', receiver[name]!)
          .get('/other', (_request, response) => void response.send('fine'))
          .use(onError)
        const { url } = await listen(app)
        for (const delivery of Object.values(deliveries)) {
          const seen = await deliver(`${url}/webhooks/ton`, delivery)
          expect(seen).toMatchObject({ status: 500, body: 'sorry' })
        }
        const misuse = {
          code: 'ERR_TONPLUG_CONFIGURATION',
          details: { option: `receiver.${name}` },
          message: expect.stringContaining('tonplugWebhook(receiver) of @tonplug/express'),
        }
        expect(caught).toEqual(Object.values(deliveries).map(() => expect.objectContaining(misuse)))
        expect((await request(url).get('/other')).text).toBe('fine')
        expect(crashes).toEqual([])
      },
    )
  },
)

describe('tonplugHealth', () => {
  it.each([
    [undefined, 'undefined'],
    [{}, 'an object'],
    [{ secrets: 's' }, 'an object'],
  ])('throws for %j', (given, received) => {
    expect(() => tonplugHealth(given as never)).toThrow(
      `tonplugHealth: must be a Payments or a payment watcher; received ${received}`,
    )
  })
})
