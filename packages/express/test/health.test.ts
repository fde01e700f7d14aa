import {
  createPayments,
  createPaymentWatcher,
  memoryInbox,
  memoryOrderRepository,
} from '@tonplug/core'
import { createV3Client } from '@tonplug/core/toncenter'
import { createFakeClock, createTestLogger, transferCompleted } from '@tonplug/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { tonplugHealth } from '../src/health-middleware.js'
import { expressVersions } from './support/express-versions.js'
import { listen } from './support/listen.js'
import { createShop } from './support/shop.js'

describe.each(expressVersions)('tonplugHealth, %s', (_version, express) => {
  it('responds with 200 while payments are accepted and with 503 afterwards, never cached', async () => {
    const { payments } = createShop()
    const { url } = await listen(express().get('/ready', tonplugHealth(payments)))
    const up = await fetch(`${url}/ready`)
    expect([up.status, up.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(await up.json()).toMatchObject({ status: 'up', inbox: 'memory', undecided: 0 })
    expect((await fetch(`${url}/ready`, { method: 'HEAD' })).status).toBe(200)
    await payments.close()
    const down = await fetch(`${url}/ready`)
    expect(down.status).toBe(503)
    expect(await down.json()).toMatchObject({ status: 'down' })
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
      .poll(async () => (await fetch(`${url}/second`)).json())
      .toMatchObject({ status: 'degraded' })
    expect((await fetch(`${url}/second`)).status).toBe(200)
    expect(await (await fetch(`${url}/first`)).json()).toMatchObject({ status: 'up' })
  })

  it('responds with 503 when the inbox cannot be read', async () => {
    const stats = () => Promise.reject(new Error('ECONNREFUSED'))
    const { payments } = createShop({ payments: { inbox: { ...memoryInbox(), stats } } })
    const { url } = await listen(express().get('/ready', tonplugHealth(payments)))
    const answer = await fetch(`${url}/ready`)
    expect(answer.status).toBe(503)
    expect(await answer.json()).toMatchObject({ message: 'the inbox cannot be read' })
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
    const down = await fetch(`${url}/monitor`)
    expect(down.status).toBe(503)
    watcher.start()
    const up = await fetch(`${url}/monitor`)
    expect([up.status, await up.json()]).toMatchObject([200, { status: 'up' }])
    await clock.advance(1001)
    expect(await (await fetch(`${url}/monitor`)).json()).toMatchObject({
      status: 'down',
      message: expect.stringMatching(/1001 ms old, more than 1000 ms/),
    })
  })

  it('passes an invalid option to the error handler', async () => {
    const { payments } = createShop()
    const app = express().get('/ready', tonplugHealth(payments, { timeoutMs: 0 }))
    const { url } = await listen(app)
    expect((await fetch(`${url}/ready`)).status).toBe(500)
  })
})
