// app/webhooks/ton/route.ts
import { createPayments, createWebhookReceiver, memoryOrderRepository } from '@tonplug/core'

const payments = createPayments({
  orders: memoryOrderRepository(), // replace with your own
  onPaid: ({ order }) => console.log(`order ${order.reference} is paid`),
})
const secrets = process.env.TONPAY_WEBHOOK_SECRET ?? ''
const receiver = createWebhookReceiver({ payments, secrets })

export const runtime = 'nodejs'
export const POST = (request: Request): Promise<Response> => receiver.handle(request)
