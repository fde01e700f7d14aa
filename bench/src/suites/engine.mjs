// Compares `receiver.receive` with the same promises by hand, both in memory and without HTTP (K1).
import { createPayments, createWebhookReceiver, memoryOrderRepository } from '@tonplug/core'
import { report } from '../report.mjs'
import { measureRounds, ratio } from '../rounds.mjs'
import { createByHand } from '../servers/webhook-by-hand.mjs'
import { makeDeliveries, referenceOf, SECRET } from '../webhooks.mjs'

const ROUNDS = 11
const CALLS = 5000

const logger = { debug() {}, info() {}, warn() {}, error: console.error }
const samples = await measureRounds([contenderByHand(), contender()], {
  rounds: ROUNDS,
  calls: CALLS,
  warmUpCalls: 3 * CALLS,
})
const [byHand, ours] = samples
report([
  {
    id: 'K1',
    what: 'receiver.receive, a delivery',
    beside: 'the same promises by hand in memory, without HTTP, processor time',
    spread: ratio(ours, byHand, 'cpuMs'),
    floor: '<= 1.5',
    goal: '<= 1.2',
  },
])

function contender() {
  const orders = memoryOrderRepository()
  const payments = createPayments({ orders, logger })
  const receiver = createWebhookReceiver({ payments, secrets: SECRET })
  return paying('receiver.receive', orders, ({ body: rawBody, headers }) =>
    receiver.receive({ headers, rawBody }),
  )
}

function contenderByHand() {
  const orders = memoryOrderRepository()
  const take = createByHand(orders)
  return paying('by hand', orders, ({ body, headers }) => take(body, headers))
}

/** Each call pays an order of its own. */
function paying(name, orders, deliver) {
  let count = 0
  let deliveries = []
  return {
    name,
    prepare: (calls) => {
      deliveries = makeDeliveries(count, count + calls).map(({ body, headers }, index) => {
        const reference = referenceOf(count + index)
        orders.add({ reference, rawAmount: 10_500_000_000n, asset: 'TON', status: 'pending' })
        return { body: Buffer.from(body), headers }
      })
      count += calls
    },
    call: async () => {
      const { status } = await deliver(deliveries.pop())
      if (status !== 200) throw new Error(`${name} responded with ${status}`)
    },
  }
}
