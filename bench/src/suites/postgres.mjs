// Compares the order repository and the inbox on PostgreSQL with the same work written by hand.
import { randomUUID } from 'node:crypto'
import { createPayments, createWebhookReceiver } from '@tonplug/core'
import { postgresInbox, postgresOrderRepository } from '@tonplug/postgres'
import { signPayload, transferCompleted } from '@tonplug/testing'
import { withDatabase } from '../database.mjs'
import { report } from '../report.mjs'
import { measureRounds, ratio } from '../rounds.mjs'

const SECRET = 'whsec_bench'
const ROUNDS = 51
const BATCH = 96

const figures = []
await withDatabase(async (pool) => {
  const orders = postgresOrderRepository(pool)
  for (const concurrency of [1, 16]) await compareTransitions(pool, orders, concurrency)
  for (const concurrency of [1, 16]) await compareDeliveries(pool, orders, concurrency)
})
report(figures)

/** Compares `complete` with the prepared statement that a shop would use for its own table. */
async function compareTransitions(pool, orders, concurrency) {
  const payment = makePayment()
  const contenders = [
    {
      name: 'a prepared UPDATE … WHERE by hand',
      call: (reference) =>
        pool.query({
          name: 'by_hand',
          text: `UPDATE tonplug.orders SET status = 'completed', payment_tx_hash = $2, payment = $3
            WHERE name = 'default' AND merchant = '' AND reference = $1 AND status IN ('pending', 'failed', 'expired')`,
          values: [
            reference,
            payment.txHash,
            JSON.stringify({ ...payment, rawAmount: payment.rawAmount.toString() }),
          ],
        }),
    },
    { name: 'complete', call: (reference) => orders.complete({ reference }, payment) },
  ]
  const [byHand, ours] = await measure(pool, contenders, { concurrency, orders })
  figures.push({
    id: `E1-${concurrency}`,
    what: `order completed, ${concurrency} at once`,
    beside: 'the same conditional update, prepared by hand; rate',
    spread: ratio(byHand, ours, 'wallMs'),
    floor: '>= 0.95',
    goal: '>= 1',
  })
}

/** Measures a signed delivery from its bytes to its response: the first one, and a repetition. */
async function compareDeliveries(pool, orders, concurrency) {
  const payments = createPayments({
    orders,
    inbox: postgresInbox(pool),
    logger: { debug() {}, info() {}, warn() {}, error: console.error },
  })
  const receiver = createWebhookReceiver({ payments, secrets: SECRET })
  const send = async (reference) => {
    const { body, headers } = signPayload(transferCompleted({ reference }), SECRET)
    const answer = await receiver.receive({ headers, rawBody: body })
    return answer.decision.kind
  }
  const contenders = [
    { name: 'a first delivery', call: send },
    {
      name: 'a repetition',
      call: send,
      before: (references) => Promise.all(references.map(send)),
    },
  ]
  const [first, repetition] = await measure(pool, contenders, { concurrency, orders })
  figures.push({
    id: `E3-${concurrency}`,
    what: `repeated delivery, ${concurrency} at once`,
    beside: 'first delivery, rate',
    spread: ratio(first, repetition, 'wallMs'),
    floor: '>= 1.5',
    goal: '>= 2',
  })
  await checkWrites(pool, orders, send)
  await receiver.close()
  await payments.close()
}

/** Checks that a repetition writes no rows, by the row versions of PostgreSQL. */
async function checkWrites(pool, orders, send) {
  const [reference] = await createMany(orders, 1)
  await send(reference)
  const before = await versions(pool, reference)
  for (let count = 0; count < 10; count++) {
    const kind = await send(reference)
    if (kind !== 'duplicate') throw new Error(`a repetition was decided ${kind}`)
  }
  const after = await versions(pool, reference)
  if (JSON.stringify(before) !== JSON.stringify(after)) throw new Error('a repetition wrote a row')
}

/** Returns the last transaction that wrote each row, and the row's location. */
async function versions(pool, reference) {
  const { rows } = await pool.query(
    `SELECT xmin::text, ctid::text FROM tonplug.orders WHERE reference = $1
    UNION ALL SELECT xmin::text, ctid::text FROM tonplug.reports WHERE reference = $1`,
    [reference],
  )
  return rows
}

/** Measures contenders. Each call processes its own batch of orders, `concurrency` of them concurrently. */
async function measure(pool, contenders, { concurrency, orders }) {
  const batches = contenders.map(() => [])
  const prepared = contenders.map(({ name, call, before }, index) => ({
    name,
    call: async () => {
      const references = batches[index].pop()
      await Promise.all(
        Array.from({ length: concurrency }, async () => {
          for (let next = references.pop(); next !== undefined; next = references.pop()) {
            await call(next)
          }
        }),
      )
    },
    fill: async () => {
      const references = await createMany(orders)
      await before?.(references)
      batches[index].push(references)
    },
  }))
  // All orders are created before the measurement.
  for (const { fill } of prepared) for (let round = 0; round < ROUNDS + 2; round++) await fill()
  await pool.query('VACUUM ANALYZE')
  return measureRounds(prepared, { rounds: ROUNDS, calls: 1, warmUpCalls: 2 })
}

async function createMany(orders, count = BATCH) {
  const references = Array.from({ length: count }, () => randomUUID())
  await Promise.all(
    references.map((reference) =>
      orders.create({ reference, rawAmount: 10_500_000_000n, asset: 'TON', data: null }),
    ),
  )
  return references
}

function makePayment() {
  const { data } = transferCompleted()
  const { txHash, traceId, bodyBase64Hash, asset, senderAddr, recipientAddr, date } = data
  const addresses = { senderAddr, recipientAddr }
  const rawAmount = BigInt(data.rawAmount)
  return {
    txHash,
    traceId,
    bodyBase64Hash,
    rawAmount,
    asset,
    ...addresses,
    date,
    isLate: false,
    source: 'webhook',
  }
}
