// One server of a shop whose handlers take a moment, and whose queue is in Redis.
import { setTimeout } from 'node:timers/promises'
import { bullmqJobQueue } from '@tonplug/bullmq'
import { createWebhookReceiver, memoryOrderRepository } from '@tonplug/core'
import { signPayload, transferCompleted } from '@tonplug/testing'

const [url, prefix, secret] = process.argv.slice(2)
const queue = bullmqJobQueue({ connection: { url }, prefix })
const jobs = {
  ...queue,
  async listen(listener) {
    const subscription = await queue.listen(listener)
    process.send('listening')
    return subscription
  },
}
const ignore = () => undefined
const order = { reference: 'order-1', rawAmount: 10_500_000_000n, asset: 'TON', status: 'pending' }
const receiver = createWebhookReceiver({
  logger: { debug: ignore, info: ignore, warn: ignore, error: console.error },
  secrets: secret,
  orders: memoryOrderRepository([order]),
  jobs,
  drainTimeoutMs: 5000,
  async onPaid() {
    process.send('running')
    await setTimeout(300)
    process.send('shipped')
  },
})
const stop = async () => {
  await receiver.close()
  await jobs.close()
  process.disconnect()
}
process.once('SIGTERM', () => void stop())
const { body, headers } = signPayload(transferCompleted(), secret)
const { status } = await receiver.receive({ headers, rawBody: body })
process.send(status)
