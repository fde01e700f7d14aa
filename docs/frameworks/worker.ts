import { createPayments, createWebhookReceiver, memoryInbox } from '@tonplug/core'
import type { OrderRepository } from '@tonplug/core'

interface Env {
  TONPAY_WEBHOOK_SECRET: string
}
interface Context {
  waitUntil(promise: Promise<unknown>): void
}

export function createWorker(ordersOf: (env: Env) => OrderRepository) {
  const inbox = memoryInbox()
  return {
    async fetch(request: Request, env: Env, context: Context): Promise<Response> {
      const payments = createPayments({
        orders: ordersOf(env),
        inbox,
        onPaid: ({ order }) => console.log(`ship ${order.reference}`),
      })
      const receiver = createWebhookReceiver({ payments, secrets: env.TONPAY_WEBHOOK_SECRET })
      const response = await receiver.handle(request)
      context.waitUntil(payments.close())
      return response
    },
  }
}
