// A shop with one order, whose handlers run as BullMQ jobs. Each process stores and decides the same webhook, so several
// processes add the same task. The first attempt lasts until the process is killed or, with a limit, that long.
import { setTimeout } from 'node:timers/promises'
import { bullmqQueue } from '@tonplug/bullmq'
import { createPayments, createWebhookReceiver, memoryOrderRepository } from '@tonplug/core'
import { signPayload, transferCompleted } from '@tonplug/testing'

const [url, prefix, secret, limitMs] = process.argv.slice(2)
const queue = bullmqQueue({ connection: { url }, prefix })
const ignore = () => undefined
const order = { reference: 'order-1', rawAmount: 10_500_000_000n, asset: 'TON', status: 'pending' }
const payments = createPayments({
  logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
  orders: memoryOrderRepository([order]),
  queue,
  drainTimeoutMs: 5000,
  async onPaid(_, { attempt }) {
    process.send({ running: attempt })
    if (attempt === 1) await setTimeout(Number(limitMs ?? 1e9))
    process.send({ shipped: attempt })
  },
})
const receiver = createWebhookReceiver({ payments, secrets: secret })
const stop = async () => {
  await receiver.close()
  await payments.close()
  await queue.close()
  process.disconnect()
}
process.once('SIGTERM', () => void stop())
const { body, headers } = signPayload(transferCompleted(), secret)
const { status } = await receiver.receive({ headers, rawBody: body })
process.send({ status })
