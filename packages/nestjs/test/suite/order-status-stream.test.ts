import { Controller, Inject, Module, Param, Sse } from '@nestjs/common'
import type { MessageEvent } from '@nestjs/common'
import { createPayments, memoryOrderRepository, type Payments } from '@tonplug/core'
import { createFakeClock, createTestLogger, signPayload, transferCompleted } from '@tonplug/testing'
import { openConnection, requestText } from '@tonplug/test-support/raw-socket'
import type { Observable } from 'rxjs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { orderStatusStream } from '../../src/order-status-stream.js'
import { TonplugModule } from '../../src/tonplug.module.js'
import { getPaymentsToken } from '../../src/tonplug.tokens.js'
import { platforms, startApp, type Platform } from '../support/start-app.js'
import { createShop, deliver, deliveries, optionsOf, SECRET } from '../support/shop.js'

@Controller('orders')
class OrdersController {
  constructor(@Inject(getPaymentsToken()) private readonly payments: Payments) {}

  @Sse(':reference/events')
  events(@Param('reference') reference: string): Observable<MessageEvent> {
    return orderStatusStream(this.payments, reference, { maxStreams: 2 })
  }
}

async function start(platform: Platform) {
  const clock = createFakeClock()
  const shop = createShop()
  let reads = 0
  const find: typeof shop.orders.find = (key) => {
    reads++
    return shop.orders.find(key)
  }
  const orders = { ...shop.orders, find }
  const tonplug = TonplugModule.forRoot({
    path: 'webhooks/ton',
    isGlobal: true,
    ...optionsOf(shop, { orders, clock }),
  })
  @Module({ imports: [tonplug], controllers: [OrdersController] })
  class AppModule {}
  const options = { forceCloseConnections: false }
  const { app, url, port } = await startApp(AppModule, { platform, options })
  const open = async (reference: string) => {
    const stream = await openConnection(port)
    stream.write(requestText(`/orders/${reference}/events`, { method: 'GET' }))
    return stream
  }
  return { app, url, clock, open, reads: () => reads }
}

describe.each(platforms)('orderStatusStream, %s', (platform) => {
  it('send the status of an order to an @Sse() route until it is paid', async () => {
    const { url, open } = await start(platform)
    const stream = await open('order-1')
    await stream.receivedText('data: {"status":"waiting"}')
    await deliver(`${url}/webhooks/ton`, deliveries.valid)
    await stream.receivedText('id: paid\nretry: 86400000\ndata: {"status":"paid"}')
    const later = await open('order-1')
    await later.receivedText('data: {"status":"paid"}')
    later.socket.destroy()
    expect(await later.received()).not.toContain('waiting')
  })

  it('send what has arrived for an order, as the other bridges do', async () => {
    const { url, open } = await start(platform)
    const stream = await open('order-1')
    await stream.receivedText('data: {"status":"waiting"}')
    const payload = transferCompleted({ reference: 'order-1', rawAmount: '1' })
    await deliver(`${url}/webhooks/ton`, signPayload(payload, SECRET))
    await stream.receivedText(
      'data: {"status":"partially_paid","received":[{"asset":"TON","rawAmount":"1"}]}',
    )
    stream.socket.destroy()
    expect(await stream.received()).not.toContain('"status":"paid"')
  })

  it('send heartbeats, and end their reads and timers when the client leaves', async () => {
    const { clock, open, reads } = await start(platform)
    await clock.advance(0)
    const idle = clock.pendingTimers().length
    const streams = await Promise.all([open('order-1'), open('order-2')])
    for (const stream of streams) await stream.receivedText('data: {"status":"waiting"}')
    expect(clock.pendingTimers()).toHaveLength(idle + 1)
    await clock.advance(15_000)
    for (const stream of streams) await stream.receivedText('event: heartbeat')
    for (const { socket } of streams) socket.destroy()
    await expect.poll(() => clock.pendingTimers().length).toBe(idle)
    await clock.advance(2000)
    const readsBefore = reads()
    await clock.advance(60_000)
    expect(reads()).toBe(readsBefore)
  })

  it('respond with 503 beyond maxStreams, until a client leaves', async () => {
    const { url, open } = await start(platform)
    const streams = [await open('order-1'), await open('order-2')]
    for (const stream of streams) await stream.receivedText('data: {"status":"waiting"}')
    const third = await fetch(`${url}/orders/order-1/events`)
    expect(third.status).toBe(503)
    expect(await third.text()).not.toContain('waiting')
    streams[0]?.socket.destroy()
    const controller = new AbortController()
    onTestFinished(() => controller.abort())
    const openAgain = async () =>
      (await fetch(`${url}/orders/order-1/events`, { signal: controller.signal })).status
    await expect.poll(openAgain).toBe(200)
  })

  it('S52 end when the app shuts down, so that the server closes', async () => {
    const { app, open } = await start(platform)
    const stream = await open('order-1')
    await stream.receivedText('data: {"status":"waiting"}')
    await app.close()
    expect(await stream.received()).not.toContain('paid')
  })
})

describe('orderStatusStream', () => {
  const payments = createPayments({ orders: memoryOrderRepository(), logger: createTestLogger() })

  it.each<[unknown, unknown, string]>([
    ...[0, -1, 1.5, NaN, '2', null].map((maxStreams): [unknown, unknown, string] => [
      payments,
      { maxStreams },
      'orderStatusStream.maxStreams: must be a whole number above zero, or Infinity',
    ]),
    [payments, { maxStream: 5 }, 'orderStatusStream.maxStream: is not an option here'],
    [payments, null, 'orderStatusStream: must be an object'],
    [undefined, {}, 'payments: must be the result of createPayments(); received undefined'],
  ])('rejects invalid arguments %#', (given, options, message) => {
    expect(() => orderStatusStream(given as Payments, 'order-1', options as object)).toThrow(
      message,
    )
  })
})

it('orderStatusStream fail for a key that is not one', async () => {
  const payments = createPayments({ orders: memoryOrderRepository(), logger: createTestLogger() })
  onTestFinished(() => payments.close())
  const key = undefined as unknown as string
  const error = await new Promise((resolve) =>
    orderStatusStream(payments, key).subscribe({ error: resolve }),
  )
  expect(error).toMatchObject({ code: 'ERR_TONPLUG_CONFIGURATION' })
})
