import { memoryInbox, memoryOrderRepository } from '@tonplug/core'
import { createWorker } from './worker.js'

const orders = memoryOrderRepository([
  { reference: 'order-1', rawAmount: 10500000000n, asset: 'TON', status: 'pending' },
])
const inbox = memoryInbox()
const worker = createWorker(() => ({ orders, inbox }))
const order = {
  fetch: async () => new Response((await orders.find({ reference: 'order-1' }))?.status),
}

export default {
  fetch: (...[request, env, context]: Parameters<typeof worker.fetch>) =>
    request.method === 'GET' ? order.fetch() : worker.fetch(request, env, context),
}
