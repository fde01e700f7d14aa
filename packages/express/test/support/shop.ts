import { createPayments, createWebhookReceiver, memoryOrderRepository } from '@tonplug/core'
import type {
  Payments,
  PaymentsOptions,
  WebhookReceiver,
  WebhookReceiverOptions,
} from '@tonplug/core'
import { signDeliveries } from '@tonplug/test-support/deliveries'
import { createTestLogger } from '@tonplug/testing'
import type { TestLogger } from '@tonplug/testing'
import request from 'supertest'
import { onTestFinished } from 'vitest'

export const SECRET = 'whsec_express_adapter'

/** A shop with one open order, `order-1`, that `transferCompleted()` pays. */
export interface Shop {
  payments: Payments
  receiver: WebhookReceiver
  logger: TestLogger
  orderStatus(): Promise<string | undefined>
}

/** Overrides of a shop's options. */
export interface ShopOptions {
  payments?: Partial<PaymentsOptions>
  receiver?: Partial<WebhookReceiverOptions>
}

export function createShop(options: ShopOptions = {}): Shop {
  const orders = memoryOrderRepository([
    { reference: 'order-1', rawAmount: 10_500_000_000n, asset: 'TON', status: 'pending' },
  ])
  const logger = createTestLogger()
  const payments = createPayments({ orders, logger, ...options.payments })
  const receiver = createWebhookReceiver({ payments, secrets: SECRET, ...options.receiver })
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

/** The requests of the matrix. */
export const deliveries = signDeliveries(SECRET)

/** The parts of a response that tests compare. */
export interface Seen {
  status: number
  contentType: string | undefined
  body: string
}

/** Sends a delivery. */
export async function deliver(
  url: string,
  { body, headers }: { body: string; headers: Record<string, string> },
): Promise<Seen> {
  const { status, headers: received, text } = await request(url).post('').set(headers).send(body)
  return { status, contentType: received['content-type'], body: text }
}
