import { Injectable, Module } from '@nestjs/common'
import type { FindingEvents, Reconciler, WebhookReceiver } from '@tonplug/core'
import { createManualClock, signPayload, transferCompleted } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { TonplugModule } from '../../src/tonplug.module.js'
import type { TonplugModuleOptions } from '../../src/tonplug.options.js'
import { getReceiverToken, InjectReconciler } from '../../src/tonplug.tokens.js'
import {
  OnLostWebhook,
  OnOverpaid,
  OnPaidEarly,
  OnPaidLate,
  OnPaidTwice,
  OnUnderpaid,
  OnWrongAsset,
} from '../../src/webhook/handlers.decorators.js'
import { startApi } from '../support/api-server.js'
import { startApp } from '../support/start-app.js'
import { createShop, deliver, SECRET, webhookOf } from '../support/shop.js'

const JETTON = 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs'

describe('the decorators of findings', () => {
  it('hand methods what webhooks and reconcilers find', async () => {
    const references = ['lost', 'less', 'more', 'twice', 'late', 'early', 'asset']
    const shop = createShop(references)
    const seen: string[] = []
    @Injectable()
    class Findings {
      @OnLostWebhook()
      lost({ order, decision }: FindingEvents['onLostWebhook']): void {
        seen.push(`lost ${order.reference} ${decision.foundBy}`)
      }

      @OnUnderpaid()
      less({ order, decision }: FindingEvents['onUnderpaid']): void {
        seen.push(`less ${order.reference} ${decision.received}`)
      }

      @OnOverpaid()
      more({ order, decision }: FindingEvents['onOverpaid']): void {
        seen.push(`more ${order.reference} ${decision.received}`)
      }

      @OnPaidTwice()
      twice({ order, decision }: FindingEvents['onPaidTwice']): void {
        seen.push(`twice ${order.reference} ${decision.kind}`)
      }

      @OnPaidLate()
      late({ order, decision }: FindingEvents['onPaidLate']): void {
        seen.push(`late ${order.reference} ${decision.kind}`)
      }

      @OnPaidEarly()
      early({ order, decision }: FindingEvents['onPaidEarly']): void {
        seen.push(`early ${order.reference} ${decision.kind}`)
      }

      @OnWrongAsset()
      asset({ order, decision }: FindingEvents['onWrongAsset']): void {
        seen.push(`asset ${order.reference} ${decision.kind}`)
      }
    }
    @Module({
      imports: [TonplugModule.forRoot({ path: 'webhooks/ton', webhook: webhookOf(shop) })],
      providers: [Findings],
    })
    class AppModule {}
    const { app, url } = await startApp(AppModule, { platform: 'express' })
    // The payload builders' transfers are of 2026.
    for (const order of shop.orders.all()) {
      const createdAt = new Date(order.reference === 'early' ? '2100-01-01' : '2020-01-01')
      shop.orders.add({ ...order, createdAt })
    }
    shop.orders.expire('late')
    const receiver = app.get<WebhookReceiver>(getReceiverToken(), { strict: false })
    const transfer = transferCompleted({ reference: 'lost' }).data
    await receiver.settleFound({ transfer, foundBy: 'chain' })
    const payloads = [
      transferCompleted({ reference: 'less', rawAmount: '1', amount: '0.000000001' }),
      transferCompleted({ reference: 'more', rawAmount: '99000000000', amount: '99' }),
      transferCompleted({ reference: 'twice' }),
      transferCompleted({ reference: 'twice', txHash: 'b'.repeat(64) }),
      transferCompleted({ reference: 'late' }),
      transferCompleted({ reference: 'early' }),
      transferCompleted({ reference: 'asset', asset: JETTON }),
    ]
    for (const payload of payloads) {
      await deliver(`${url}/webhooks/ton`, signPayload(payload, SECRET))
    }
    await app.close()
    expect(seen.toSorted()).toEqual([
      'asset asset asset_mismatch',
      'early early paid',
      'late late paid',
      'less less 1',
      'lost lost chain',
      'more more 99000000000',
      'twice twice extra_payment',
    ])
  })
})

describe('the option reconcile', () => {
  it('has the instance look for lost webhooks from the start of the app to its end', async () => {
    const api = await startApi()
    const clock = createManualClock()
    const shop = createShop([])
    @Injectable()
    class Health {
      constructor(@InjectReconciler() readonly reconciler: Reconciler) {}
    }
    @Module({
      imports: [
        TonplugModule.forRoot({
          path: 'webhooks/ton',
          baseUrl: api.baseUrl,
          webhook: { ...webhookOf(shop), clock, reconcile: { everyMs: 30_000 } },
        }),
      ],
      providers: [Health],
    })
    class AppModule {}
    const { app } = await startApp(AppModule, { platform: 'express' })
    const { reconciler } = app.get(Health)
    const asked = api.arrival('masterchainInfo')
    await clock.advance(30_000)
    await asked
    await expect.poll(() => reconciler.stats().lastRun).toBeDefined()
    const closed = app.close()
    await clock.advance(60_000)
    await closed
    await expect(reconciler.run()).rejects.toThrow(/abort/i)
  })

  const refused: [string, Partial<TonplugModuleOptions>, RegExp][] = [
    [
      'a gateway that nobody names',
      { baseUrl: 'http://127.0.0.1:1', gateway: { apiKey: 'key' } },
      /gateway: does not say which gateway is meant, and beside baseUrl nothing else does/,
    ],
    [
      'the gateway of another network',
      { network: 'testnet', gateway: { network: 'mainnet' } },
      /reconcile: would look for payments on testnet and ask the gateway of mainnet/,
    ],
  ]
  it.each(refused)('is refused at start with %s', async (_what, options, message) => {
    const webhook = { ...webhookOf(createShop()), reconcile: true }
    @Module({ imports: [TonplugModule.forRoot({ path: 'webhooks/ton', ...options, webhook })] })
    class AppModule {}
    await expect(startApp(AppModule, { platform: 'express' })).rejects.toThrow(message)
  })

  it('is refused at start with what the instance has itself', async () => {
    const reconcile: object = { clock: createManualClock() }
    const webhook = { ...webhookOf(createShop()), reconcile }
    @Module({ imports: [TonplugModule.forRoot({ path: 'webhooks/ton', webhook })] })
    class AppModule {}
    await expect(startApp(AppModule, { platform: 'express' })).rejects.toThrow(
      /reconcile\.clock: is no option here: give it to webhook/,
    )
  })

  it('is off unless it is given', async () => {
    const shop = createShop()
    @Injectable()
    class Health {
      constructor(@InjectReconciler() readonly reconciler: Reconciler | undefined) {}
    }
    @Module({
      imports: [TonplugModule.forRoot({ path: 'webhooks/ton', webhook: webhookOf(shop) })],
      providers: [Health],
    })
    class AppModule {}
    const { app } = await startApp(AppModule, { platform: 'express' })
    expect(app.get(Health).reconciler).toBeUndefined()
  })
})
