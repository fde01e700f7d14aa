import { createReconciler, createV3Client, memoryInbox, memoryOrderRepository } from '@tonplug/core'
import { createManualClock } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { tonplugHealth } from '../src/health-middleware.js'
import { expressVersions } from './support/express-versions.js'
import { listen } from './support/listen.js'
import { createShop } from './support/shop.js'

describe.each(expressVersions)('the health of a receiver, %s', (_version, express) => {
  it('is 200 while deliveries are taken and 503 afterwards, and is never cached', async () => {
    const { receiver } = createShop()
    const { url } = await listen(express().get('/ready', tonplugHealth(receiver)))
    const up = await fetch(`${url}/ready`)
    expect([up.status, up.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(await up.json()).toMatchObject({ status: 'up', inbox: 'memory', undecided: 0 })
    expect((await fetch(`${url}/ready`, { method: 'HEAD' })).status).toBe(200)
    await receiver.close()
    const down = await fetch(`${url}/ready`)
    expect(down.status).toBe(503)
    expect(await down.json()).toMatchObject({ status: 'down' })
  })

  it('is 503 when the inbox cannot be read', async () => {
    const stats = () => Promise.reject(new Error('ECONNREFUSED'))
    const { receiver } = createShop({ inbox: { ...memoryInbox(), stats } })
    const { url } = await listen(express().get('/ready', tonplugHealth(receiver)))
    const answer = await fetch(`${url}/ready`)
    expect(answer.status).toBe(503)
    expect(await answer.json()).toMatchObject({ message: 'the inbox cannot be read' })
  })

  it('is that of a reconciler, too', async () => {
    const { receiver, logger } = createShop()
    const v3 = createV3Client({ baseUrl: 'http://127.0.0.1:1' })
    const orders = memoryOrderRepository()
    const clock = createManualClock()
    const reconciler = createReconciler({ receiver, orders, v3, clock, logger })
    const app = express().get('/monitor', tonplugHealth(reconciler, { maxIncompleteMs: 1000 }))
    const { url } = await listen(app)
    const down = await fetch(`${url}/monitor`)
    expect(down.status).toBe(503)
    reconciler.start()
    const up = await fetch(`${url}/monitor`)
    expect([up.status, await up.json()]).toEqual([200, { status: 'up', found: {} }])
    await clock.advance(1001)
    expect(await (await fetch(`${url}/monitor`)).json()).toMatchObject({
      status: 'down',
      message: 'the last complete run is 1001 ms old, more than 1000 ms',
    })
    await reconciler.close()
  })

  it('leaves an option that cannot be to the error handler', async () => {
    const { receiver } = createShop()
    const app = express().get('/ready', tonplugHealth(receiver, { timeoutMs: 0 }))
    const { url } = await listen(app)
    expect((await fetch(`${url}/ready`)).status).toBe(500)
  })
})
