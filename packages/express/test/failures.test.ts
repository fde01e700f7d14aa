import { EventEmitter, once } from 'node:events'
import { inspect } from 'node:util'
import { memoryOrderRepository } from '@tonplug/core'
import type { WebhookResponse, WebhookReceiver, WebhookRequest } from '@tonplug/core'
import type { ErrorRequestHandler, RequestHandler } from 'express'
import { describe, expect, it } from 'vitest'
import { WebhookFailedError } from '@tonplug/core/bridge'
import { tonplugWebhook } from '../src/webhook-middleware.js'
import { collectCrashes } from './support/collect-crashes.js'
import { expressVersions } from './support/express-versions.js'
import { listen } from './support/listen.js'
import { openConnection, requestText } from '@tonplug/test-support/raw-socket'
import { createShop, deliver, deliveries } from './support/shop.js'

/** Creates a shop whose first order lookup waits until the test emits `release`. */
function createSlowShop(): { receiver: WebhookReceiver; repository: EventEmitter } {
  const orders = memoryOrderRepository([
    { reference: 'order-1', rawAmount: 10_500_000_000n, asset: 'TON', status: 'pending' },
  ])
  const repository = new EventEmitter()
  const released = once(repository, 'release')
  const { receiver } = createShop({
    payments: {
      orders: {
        ...orders,
        async find(key) {
          repository.emit('lookup')
          await released
          return orders.find(key)
        },
      },
    },
  })
  return { receiver, repository }
}

it.each([undefined, null, {}, { secrets: 'whsec_x' }])(
  'throws when the receiver is %j',
  (given) => {
    // Callers without type checks can pass any value.
    const receiver = given as unknown as WebhookReceiver
    expect(() => tonplugWebhook(receiver)).toThrow(
      /must be a receiver from createWebhookReceiver\(\); received/,
    )
  },
)

describe.each(expressVersions)('failures, %s', (_version, express) => {
  /** Starts an app that records the end of each request, one turn of the event loop after the receiver's answer. */
  function createObservedApp(
    receiver: WebhookReceiver,
    ahead: RequestHandler = (_request, _response, next) => next(),
  ) {
    const finished: { status: number; headersSent: boolean }[] = []
    const caught: unknown[] = []
    const onError: ErrorRequestHandler = (error, _request, response, _next) => {
      caught.push(error)
      response.destroy()
    }
    const app = express()
      .use(ahead)
      .post('/', (request, response, next) => {
        const receive = async (webhook: WebhookRequest): Promise<WebhookResponse> => {
          const answer = await receiver.receive(webhook)
          setImmediate(() => {
            finished.push({ status: answer.status, headersSent: response.headersSent })
          })
          return answer
        }
        tonplugWebhook({ receive })(request, response, next)
      })
      .use(onError)
    return { app, finished, caught }
  }

  const throwingRule = {
    payments: {
      rules: [
        function rateLimit(): never {
          throw new Error('rate table of host db-7 is empty')
        },
      ],
    },
  }

  it('S63 an error of a rule reaches the error handler, with its cause', async () => {
    const { receiver } = createShop(throwingRule)
    const caught: unknown[] = []
    const onError: ErrorRequestHandler = (error, _request, response, _next) => {
      caught.push(error)
      response.status(500).send('sorry')
    }
    const app = express().post('/', tonplugWebhook(receiver)).use(onError)
    const { url } = await listen(app)
    expect(await deliver(url, deliveries.valid)).toMatchObject({ status: 500, body: 'sorry' })
    expect(caught).toHaveLength(1)
    const [error] = caught
    expect(error).toBeInstanceOf(WebhookFailedError)
    expect(error).toMatchObject({ status: 500, expose: false, code: 'ERR_TONPLUG_WEBHOOK_FAILED' })
    expect(inspect(error)).toContain('rate table of host db-7 is empty')
  })

  it('S63 the error handler of Express reveals nothing to the sender, also outside production', async () => {
    const { receiver } = createShop(throwingRule)
    const app = express().post('/', tonplugWebhook(receiver))
    expect(app.get('env')).not.toBe('production')
    const { url } = await listen(app)
    const seen = await deliver(url, deliveries.valid)
    expect(seen.status).toBe(500)
    expect(seen.body).toContain('<pre>WebhookFailedError: The webhook could not be processed</pre>')
    for (const leak of ['rate', 'db-7', 'order-1', '    at ', '&nbsp;at', '.js', '.ts']) {
      expect(seen.body).not.toContain(leak)
    }
  })

  it('S63 no rejected request reaches the error handler', async () => {
    const { receiver } = createShop({ receiver: { maxBodyBytes: 1000 } })
    const caught: unknown[] = []
    const onError: ErrorRequestHandler = (error, _request, _response, next) => {
      caught.push(error)
      next(error)
    }
    const app = express()
      .use('/read', express.json())
      .use(['/unread', '/read'], tonplugWebhook(receiver))
      .use(onError)
    const { url } = await listen(app)
    const { valid } = deliveries
    const statuses = [
      await deliver(`${url}/unread`, deliveries.wrongSignature),
      await deliver(`${url}/unread`, deliveries.malformedRightSignature),
      await deliver(`${url}/unread`, { ...valid, body: ' '.repeat(2000) }),
      await deliver(`${url}/unread`, {
        ...valid,
        headers: { ...valid.headers, 'content-encoding': 'gzip' },
      }),
      await deliver(`${url}/read`, valid),
    ].map(({ status }) => status)
    expect(statuses).toEqual([401, 400, 413, 415, 500])
    expect(caught).toEqual([])
  })

  it('S53 a sender that disconnects before the response causes no error', async () => {
    const crashes = collectCrashes()
    const { receiver, repository } = createSlowShop()
    const { app, finished, caught } = createObservedApp(receiver)
    const server = await listen(app)
    const connection = await openConnection(server.port)
    const lookedUp = once(repository, 'lookup')
    connection.write(requestText('/', deliveries.valid))
    await lookedUp
    connection.socket.destroy()
    await server.allClosed()
    repository.emit('release')
    await expect.poll(() => finished).toEqual([{ status: 200, headersSent: false }])
    expect(await deliver(server.url, deliveries.valid)).toMatchObject({ status: 200 })
    expect(receiver.stats()).toEqual({ paid: 1, duplicate: 1 })
    expect({ caught, crashes }).toEqual({ caught: [], crashes: [] })
  })

  it('S53 does not write to a response that another middleware has started', async () => {
    const crashes = collectCrashes()
    const { receiver, repository } = createSlowShop()
    const { app, finished, caught } = createObservedApp(receiver, (_request, response, next) => {
      repository.once('lookup', () => {
        response.status(418).write('te')
        repository.emit('release')
        repository.once('finish', () => response.end('a'))
      })
      next()
    })
    const { url } = await listen(app)
    const answer = deliver(url, deliveries.valid)
    await expect.poll(() => finished).toEqual([{ status: 200, headersSent: true }])
    repository.emit('finish')
    expect(await answer).toMatchObject({ status: 418, body: 'tea' })
    expect({ caught, crashes }).toEqual({ caught: [], crashes: [] })
  })

  it('S53 passes the error to the error handler when the response cannot be written', async () => {
    const crashes = collectCrashes()
    const app = express()
      .use((_request, response, next) => {
        response.writeHead = () => {
          throw new Error('broken by another middleware')
        }
        next()
      })
      .post('/', tonplugWebhook(createShop().receiver))
    const server = await listen(app)
    const caught = once(app, 'caught')
    const onError: ErrorRequestHandler = (error, _request, response, _next) => {
      app.emit('caught', error)
      response.socket?.destroy()
    }
    app.use(onError)
    await expect(deliver(server.url, deliveries.valid)).rejects.toThrow('socket hang up')
    expect(await caught).toMatchObject([{ code: 'ERR_TONPLUG_WEBHOOK_FAILED' }])
    expect(crashes).toEqual([])
  })
})
