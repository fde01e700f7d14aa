import { Injectable, Module } from '@nestjs/common'
import type { Type } from '@nestjs/common'
import type {
  HandlerContext,
  PaidTransfer,
  PaymentVerifier,
  SecretResolver,
  UnknownOrder,
} from '@tonplug/core'
import { signPayload, transferCompleted } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { OnPaid, OnUnknownOrder } from '../../src/payments/handlers.decorators.js'
import { TonplugModule } from '../../src/tonplug.module.js'
import { WebhookController } from '../../src/webhook/webhook-controller.decorator.js'
import { platforms, startApp } from '../support/start-app.js'
import { createShop, deliver, optionsOf, toOrder } from '../support/shop.js'
import type { Shop } from '../support/shop.js'

const secretOf: Record<string, string> = { north: 'whsec_north', south: 'whsec_south' }

/** The merchant is the last segment of the path. */
const secrets: SecretResolver = ({ url = '' }) => {
  const merchant = url.split('/').at(-1) ?? ''
  return { merchant, secrets: secretOf[merchant] ?? '' }
}

@WebhookController('webhooks/:merchant')
class MerchantsController {}

interface Seen {
  event: 'paid' | 'unknown'
  merchant: string
  key: string
}

/** A shop whose order `order-1` exists for each of the given merchants. */
function createMerchants(...merchants: string[]): { shop: Shop; seen: Seen[] } {
  const shop = createShop([])
  for (const merchant of merchants) shop.orders.add(toOrder('order-1', merchant))
  return { shop, seen: [] }
}

function moduleOf(shop: Shop, seen: Seen[], verifyOnChain?: PaymentVerifier): Type {
  @Injectable()
  class Handlers {
    @OnPaid()
    paid({ order: { merchant = '' } }: PaidTransfer, { idempotencyKey }: HandlerContext): void {
      seen.push({ event: 'paid', merchant, key: idempotencyKey })
    }

    @OnUnknownOrder()
    unknown({ merchant }: UnknownOrder, { idempotencyKey }: HandlerContext): void {
      seen.push({ event: 'unknown', merchant, key: idempotencyKey })
    }
  }
  const wallets = [transferCompleted().data.recipientAddr]
  const options = optionsOf(shop, { verifyOnChain, wallets }, { secrets })
  @Module({
    imports: [TonplugModule.forRoot(options)],
    controllers: [MerchantsController],
    providers: [Handlers],
  })
  class AppModule {}
  return AppModule
}

async function statusOf(shop: Shop, merchant: string): Promise<string | undefined> {
  return (await shop.orders.find({ reference: 'order-1', merchant }))?.status
}

const signedBy = (merchant: string) => signPayload(transferCompleted(), secretOf[merchant] ?? '')

/** A proof that finds every payment. */
const proof: PaymentVerifier = {
  deadlineMs: 60_000,
  verify: async ({ transfer }) => ({
    kind: 'verified',
    payments: [
      {
        message: 'a'.repeat(64),
        credits: ['b'.repeat(64)],
        amount: BigInt(transfer.rawAmount),
        utime: Date.parse(transfer.date) / 1000,
        transactions: [transfer.txHash],
      },
    ],
  }),
}

describe.each(platforms)('two merchants on one route, %s', (platform) => {
  it.each([
    ['without a proof', undefined],
    ['with a proof on the chain', proof],
  ])("S65 a report of one never affects the other's order, %s", async (_name, verifyOnChain) => {
    const { shop, seen } = createMerchants('south')
    const { app, url } = await startApp(moduleOf(shop, seen, verifyOnChain), { platform })
    expect(await deliver(`${url}/webhooks/south`, signedBy('north'))).toMatchObject({ status: 401 })
    expect(await deliver(`${url}/webhooks/north`, signedBy('north'))).toMatchObject({ status: 200 })
    expect(await statusOf(shop, 'south')).toBe('pending')
    expect(await deliver(`${url}/webhooks/south`, signedBy('south'))).toMatchObject({ status: 200 })
    await expect.poll(() => statusOf(shop, 'south')).toBe('completed')
    await app.close()
    expect(seen.map(({ event, merchant }) => `${event} ${merchant}`)).toEqual([
      'unknown north',
      'paid south',
    ])
  })

  it('S66 one reference is two orders, with their own handlers and keys', async () => {
    const { shop, seen } = createMerchants('north', 'south')
    const { app, url } = await startApp(moduleOf(shop, seen), { platform })
    for (const merchant of ['north', 'south']) {
      const answer = await deliver(`${url}/webhooks/${merchant}`, signedBy(merchant))
      expect(answer).toMatchObject({ status: 200 })
      expect(await statusOf(shop, merchant)).toBe('completed')
    }
    await app.close()
    expect(seen.map(({ merchant }) => merchant).toSorted()).toEqual(['north', 'south'])
    expect(new Set(seen.map(({ key }) => key)).size).toBe(2)
  })
})
