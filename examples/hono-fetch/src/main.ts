import { serve } from '@hono/node-server'
import { createPayments, createWebhookReceiver, memoryOrderRepository } from '@tonplug/core'
import { createApp } from './app.js'

const port = Number(process.env['PORT'] ?? 3000)

// A real shop uses its database; see ../nest-typeorm-shop.
const orders = memoryOrderRepository([
  { reference: 'order-1', rawAmount: 10_500_000_000n, asset: 'TON', status: 'pending' },
])
const payments = createPayments({
  orders,
  onPaid: ({ order, payment }) => {
    console.log(`${order.reference} is paid by transaction ${payment.txHash}`)
  },
})
const receiver = createWebhookReceiver({
  payments,
  secrets: process.env['TONPAY_WEBHOOK_SECRET'] ?? '',
})
const server = serve({ fetch: createApp(receiver, orders).fetch, port }, () =>
  console.log(`Webhook on http://localhost:${port}/webhooks/ton`),
)

const shutDown = async (): Promise<void> => {
  server.close()
  await receiver.close()
  await payments.close()
}
process.once('SIGINT', () => void shutDown())
process.once('SIGTERM', () => void shutDown())
