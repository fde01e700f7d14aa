import { createPayments, createWebhookReceiver, type PaymentsOptions } from '@tonplug/core'

type Env = { TONPAY_WEBHOOK_SECRET: string }
type Context = { waitUntil(promise: Promise<unknown>): void }

/** @param shop returns the orders, the inbox and the handlers */
export const createWorker = (shop: (env: Env) => PaymentsOptions) => ({
  async fetch(request: Request, env: Env, context: Context): Promise<Response> {
    const payments = createPayments(shop(env))
    const receiver = createWebhookReceiver({ payments, secrets: env.TONPAY_WEBHOOK_SECRET })
    const response = await receiver.handle(request)
    context.waitUntil(payments.close())
    return response
  },
})
