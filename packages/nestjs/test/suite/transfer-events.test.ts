import { Controller, Inject, Module, Param, Sse } from '@nestjs/common'
import type { MessageEvent } from '@nestjs/common'
import type { DecisionEvent } from '@tonplug/core'
import { signPayload, transferCompleted } from '@tonplug/testing'
import type { Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { TonplugModule } from '../../src/tonplug.module.js'
import { TransferEvents } from '../../src/transfer-events.js'
import { openConnection, requestText } from '@tonplug/test-support/raw-socket'
import { platforms, startApp } from '../support/start-app.js'
import { createShop, deliver, deliveries, SECRET, optionsOf } from '../support/shop.js'
import type { Shop } from '../support/shop.js'

@Controller('orders')
class OrdersController {
  constructor(@Inject(TransferEvents) private readonly events: TransferEvents) {}

  @Sse(':reference/events')
  events$(@Param('reference') reference: string): Observable<MessageEvent> {
    return this.events.messages({ reference })
  }
}

/** Injects the events in a module of its own. */
@Module({ controllers: [OrdersController] })
class OrdersModule {}

function createModule(shop: Shop) {
  const tonplug = TonplugModule.forRoot({ path: 'webhooks/ton', ...optionsOf(shop) })
  @Module({ imports: [OrdersModule, tonplug] })
  class AppModule {}
  return AppModule
}

describe.each(platforms)('TransferEvents, %s', (platform) => {
  it('stream to an @Sse() route, and end it at shutdown', async () => {
    const { app, url, port } = await startApp(createModule(createShop(['order-1', 'order-2'])), {
      platform,
      options: { forceCloseConnections: false },
    })
    const stream = await openConnection(port)
    stream.write(requestText('/orders/order-2/events', { method: 'GET' }))
    await stream.receivedText('text/event-stream')
    await deliver(`${url}/webhooks/ton`, deliveries.valid)
    await deliver(
      `${url}/webhooks/ton`,
      signPayload(transferCompleted({ reference: 'order-2', txHash: 'b'.repeat(64) }), SECRET),
    )
    await app.close()
    const text = await stream.received()
    expect(text).toMatch(/event: paid\nid: report-2\ndata: \{"kind":"paid","reference":"order-2"/)
    expect(text).not.toContain('order-1')
    expect(text).not.toContain('senderAddr')
  })

  it('emit the decisions of one instance with their transfers until unsubscribed', async () => {
    const { app, url } = await startApp(createModule(createShop()), { platform })
    const seen: DecisionEvent[] = []
    const events = app.get(TransferEvents)
    const subscription = events.decisions().subscribe((event) => seen.push(event))
    await deliver(`${url}/webhooks/ton`, deliveries.valid)
    subscription.unsubscribe()
    await deliver(`${url}/webhooks/ton`, deliveries.valid)
    expect(seen).toEqual([
      {
        decision: expect.objectContaining({ kind: 'paid' }),
        transfer: transferCompleted().data,
        merchant: '',
        source: 'webhook',
        reportId: 'report-1',
      },
    ])
    expect(() => events.decisions({ name: 'euros' })).toThrow(/instance 'euros'/)
  })
})
