import {
  createPayments,
  createPaymentWatcher,
  memoryInbox,
  memoryOrderRepository,
} from '@tonplug/core'
import { createV2Client, createV3Client, checkV2Health } from '@tonplug/core/toncenter'
import { startMockApi } from '@tonplug/test-support/mock-api'
import { createFakeClock, createTestLogger, transferCompleted } from '@tonplug/testing'
import request from 'supertest'
import { describe, expect, it, onTestFinished } from 'vitest'
import { tonplugHealth } from '../src/health-middleware.js'
import { expressVersions } from './support/express-versions.js'
import { listen } from './support/listen.js'
import { createShop } from './support/shop.js'

describe.each(expressVersions)('tonplugHealth, %s', (_version, express) => {
  it('responds with 200 while payments are accepted and with 503 afterwards, never cached', async () => {
    const { payments } = createShop()
    const { url } = await listen(express().get('/ready', tonplugHealth(payments)))
    const up = await request(url).get('/ready')
    expect([up.status, up.headers['cache-control']]).toEqual([200, 'no-store'])
    expect(up.body).toMatchObject({ status: 'up', inbox: 'memory', undecided: 0 })
    expect((await request(url).head('/ready')).status).toBe(200)
    await payments.close()
    const down = await request(url).get('/ready')
    expect(down.status).toBe(503)
    expect(down.body).toMatchObject({ status: 'down' })
  })

  it('responds with 200 for a process whose policy differs from that of the others', async () => {
    const inbox = memoryInbox()
    const create = (wallets: string[]) =>
      createShop({ payments: { inbox, wallets, orders: memoryOrderRepository() } }).payments
    const first = create([transferCompleted().data.recipientAddr])
    const second = create([transferCompleted().data.senderAddr])
    const app = express().get('/first', tonplugHealth(first)).get('/second', tonplugHealth(second))
    const { url } = await listen(app)
    await expect
      .poll(async () => (await request(url).get('/second')).body)
      .toMatchObject({ status: 'degraded' })
    expect((await request(url).get('/second')).status).toBe(200)
    expect((await request(url).get('/first')).body).toMatchObject({ status: 'up' })
  })

  it('responds with 503 when the inbox cannot be read', async () => {
    const stats = () => Promise.reject(new Error('ECONNREFUSED'))
    const { payments } = createShop({ payments: { inbox: { ...memoryInbox(), stats } } })
    const { url } = await listen(express().get('/ready', tonplugHealth(payments)))
    const answer = await request(url).get('/ready')
    expect(answer.status).toBe(503)
    expect(answer.body).toMatchObject({ message: 'the inbox cannot be read' })
  })

  it('responds with the health of a payment watcher', async () => {
    const clock = createFakeClock()
    const orders = memoryOrderRepository()
    const payments = createPayments({ orders, clock, logger: createTestLogger() })
    const v3 = createV3Client({ baseUrl: 'http://127.0.0.1:1' })
    const watcher = createPaymentWatcher({ payments, v3 })
    onTestFinished(async () => {
      await watcher.close()
      await payments.close()
    })
    const app = express().get('/monitor', tonplugHealth(watcher, { maxIncompleteMs: 1000 }))
    const { url } = await listen(app)
    const down = await request(url).get('/monitor')
    expect(down.status).toBe(503)
    watcher.start()
    const up = await request(url).get('/monitor')
    expect([up.status, up.body]).toMatchObject([200, { status: 'up' }])
    await clock.advance(1001)
    expect((await request(url).get('/monitor')).body).toMatchObject({
      status: 'down',
      message: expect.stringMatching(/1001 ms old, more than 1000 ms/),
    })
  })

  it('responds with the health of API v2', async () => {
    const refused = { ok: false, code: 401, error: 'API key does not exist' }
    const { baseUrl } = await startMockApi(() => ({ status: 401, body: refused }))
    const v2 = createV2Client({ baseUrl })
    const app = express().get('/ton', tonplugHealth({ health: () => checkV2Health(v2) }))
    const { status, body } = await request(app).get('/ton')
    expect([status, body]).toMatchObject([
      503,
      { status: 'down', code: 'ERR_TONPLUG_AUTHENTICATION' },
    ])
  })

  it('passes an invalid option to the error handler', async () => {
    const { payments } = createShop()
    const app = express().get('/ready', tonplugHealth(payments, { timeoutMs: 0 }))
    const { url } = await listen(app)
    expect((await request(url).get('/ready')).status).toBe(500)
  })
})
