import { createPayments, createWebhookReceiver, memoryOrderRepository } from '@tonplug/core'
import type { Payments, PaymentsOptions, WebhookReceiver } from '@tonplug/core'
import { signDeliveries } from '@tonplug/test-support/deliveries'
import { createTestLogger } from '@tonplug/testing'
import type { TestLogger } from '@tonplug/testing'
import { onTestFinished } from 'vitest'

export const SECRET = 'whsec_fastify_adapter'
export const PATH = '/webhooks/ton'

/** A shop with one open order, `order-1`, that `transferCompleted()` pays. */
export interface Shop {
  payments: Payments
  receiver: WebhookReceiver
  logger: TestLogger
  orderStatus(): Promise<string | undefined>
}

export function createShop(options: Partial<PaymentsOptions> = {}, secrets = SECRET): Shop {
  const orders = memoryOrderRepository([
    { reference: 'order-1', rawAmount: 10_500_000_000n, asset: 'TON', status: 'pending' },
  ])
  const logger = createTestLogger()
  const payments = createPayments({ orders, logger, ...options })
  const receiver = createWebhookReceiver({ payments, secrets })
  onTestFinished(async () => {
    await receiver.close()
    await payments.close()
  })
  return {
    payments,
    receiver,
    logger,
    orderStatus: async () => (await orders.find({ reference: 'order-1' }))?.status,
  }
}

export const deliveries = signDeliveries(SECRET)

/** Sends a delivery to the webhook of an app. */
export async function deliver(
  url: string,
  { body, headers }: { body: string; headers: Record<string, string> } = deliveries.valid,
): Promise<{ status: number; body: string; headers: Headers }> {
  const response = await fetch(url + PATH, { method: 'POST', headers, body })
  return { status: response.status, body: await response.text(), headers: response.headers }
}
