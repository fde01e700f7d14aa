import { Injectable, Module } from '@nestjs/common'
import type { PaidTransfer, PaymentVerifier, TransferData, UnverifiedTransfer } from '@tonplug/core'
import { signPayload, transferCompleted } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { TonplugModule } from '../../src/tonplug.module.js'
import type { TonplugPaymentsOptions } from '../../src/tonplug.options.js'
import { OnPaid, OnUnverified } from '../../src/payments/handlers.decorators.js'
import { startMockNode } from '../support/mock-node.js'
import { createShop, deliver, SECRET, optionsOf } from '../support/shop.js'
import { platforms, startApp } from '../support/start-app.js'
import { traceOf } from '../support/trace-of.js'

const { data } = transferCompleted()

/** Starts an app whose API v3 returns the payments of these transfers. */
async function startShop(
  verifyOnChain: TonplugPaymentsOptions['verifyOnChain'],
  onChain: TransferData = data,
) {
  const shop = createShop()
  const seen: string[] = []
  const api = await startMockNode({ traces: traceOf(onChain) })

  @Injectable()
  class Handlers {
    @OnPaid()
    paid({ order }: PaidTransfer): void {
      seen.push(`paid ${order.reference}`)
    }

    @OnUnverified()
    unverified({ order, decision }: UnverifiedTransfer): void {
      seen.push(`${decision.reason} ${order.reference}`)
    }
  }

  const wallets = [data.recipientAddr]
  @Module({
    imports: [
      TonplugModule.forRoot({
        baseUrl: api.baseUrl,
        path: 'webhooks/ton',
        ...optionsOf(shop, { wallets, verifyOnChain }),
      }),
    ],
    providers: [Handlers],
  })
  class ShopModule {}
  return { shop, seen, api, ShopModule }
}

describe('verifyOnChain', () => {
  it.each(platforms)('S54 proves with the client of the instance, %s', async (platform) => {
    const { shop, seen, api, ShopModule } = await startShop(true)
    const { url } = await startApp(ShopModule, { platform })
    const answer = await deliver(`${url}/webhooks/ton`, signPayload(transferCompleted(), SECRET))
    expect(answer).toEqual({ status: 200, body: '{"ok":true}' })
    await expect.poll(() => seen).toEqual(['paid order-1'])
    expect(await shop.orderStatus()).toBe('completed')
    expect(api.requests.map(({ path }) => path)).toEqual(['/traces'])
  })

  it('S55 runs the handlers for unverified transfers when the chain contradicts the webhook', async () => {
    const { shop, seen, ShopModule } = await startShop(true, {
      ...data,
      rawAmount: '10499999999',
    })
    const { url } = await startApp(ShopModule, { platform: 'express' })
    await deliver(`${url}/webhooks/ton`, signPayload(transferCompleted(), SECRET))
    await expect.poll(() => seen).toEqual(['other_amount order-1'])
    expect(await shop.orderStatus()).toBe('pending')
  })

  it("accepts the shop's own proof", async () => {
    const proof: PaymentVerifier = {
      deadlineMs: 60_000,
      verify: () =>
        Promise.resolve({ kind: 'contradicted', reason: 'bounced', detail: 'it went back' }),
    }
    const { seen, api, ShopModule } = await startShop(proof)
    const { url } = await startApp(ShopModule, { platform: 'express' })
    await deliver(`${url}/webhooks/ton`, signPayload(transferCompleted(), SECRET))
    await expect.poll(() => seen).toEqual(['bounced order-1'])
    expect(api.requests).toEqual([])
  })
})
