// Compares what the orders and the inbox cost on PostgreSQL with the same written by hand: see README.md.
import { randomUUID } from 'node:crypto'
import { createWebhookReceiver } from '@tonplug/core'
import { postgresInbox, postgresOrderRepository } from '@tonplug/postgres'
import { signPayload, transferCompleted } from '@tonplug/testing'
import pg from 'pg'
import { measureRounds, median, ratio } from './rounds.mjs'

const URL_OF_SERVER = process.env.TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'
const SECRET = 'whsec_bench'
const ROUNDS = 51
const BATCH = 96

const name = `tonplug_bench_${randomUUID().replaceAll('-', '')}`
await onServer(`CREATE DATABASE ${name}`)
const pool = new pg.Pool({
  connectionString: Object.assign(new URL(URL_OF_SERVER), { pathname: `/${name}` }).href,
  max: 16,
})
try {
  const orders = postgresOrderRepository(pool)
  for (const concurrency of [1, 16]) await compareTransitions(orders, concurrency)
  for (const concurrency of [1, 16]) await compareDeliveries(orders, concurrency)
} finally {
  await pool.end()
  await onServer(`DROP DATABASE ${name} WITH (FORCE)`)
}

/** `complete` beside the statement that a shop would prepare for its own table. */
async function compareTransitions(orders, concurrency) {
  const payment = makePayment()
  const contenders = [
    {
      name: 'a prepared UPDATE … WHERE by hand',
      call: (reference) =>
        pool.query({
          name: 'by_hand',
          text: `UPDATE tonplug.orders SET status = 'completed', payment_tx_hash = $2, payment = $3
            WHERE reference = $1 AND status IN ('pending', 'failed', 'expired')`,
          values: [
            reference,
            payment.txHash,
            JSON.stringify({ ...payment, rawAmount: payment.rawAmount.toString() }),
          ],
        }),
    },
    { name: 'complete', call: (reference) => orders.complete(reference, payment) },
  ]
  const title = `Transition, ${concurrency} at once`
  await compare(title, contenders, { concurrency, prepare: () => createMany(orders) })
}

/** A signed delivery from its bytes to its answer: the first one, and a repetition of it. */
async function compareDeliveries(orders, concurrency) {
  const receiver = createWebhookReceiver({
    secrets: SECRET,
    orders,
    inbox: postgresInbox(pool),
    logger: { debug() {}, info() {}, warn() {}, error: console.error },
  })
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
  const title = `Delivery, ${concurrency} at once`
  await compare(title, contenders, { concurrency, prepare: () => createMany(orders) })
  await showWrites(orders, send)
  await receiver.close()
}

/** That a repetition writes no row: PostgreSQL itself counts what was written. */
async function showWrites(orders, send) {
  const [reference] = await createMany(orders, 1)
  await send(reference)
  const before = await versions(reference)
  for (let count = 0; count < 10; count++) {
    const kind = await send(reference)
    if (kind !== 'duplicate') throw new Error(`a repetition was decided ${kind}`)
  }
  const after = await versions(reference)
  if (JSON.stringify(before) !== JSON.stringify(after)) throw new Error('a repetition wrote a row')
  console.log('\nTen repetitions left the rows of the order and of the delivery as they were.')
}

/** The transaction that wrote each row last, and where the row is. */
async function versions(reference) {
  const { rows } = await pool.query(
    `SELECT xmin::text, ctid::text FROM tonplug.orders WHERE reference = $1
    UNION ALL SELECT xmin::text, ctid::text FROM tonplug.deliveries WHERE reference = $1`,
    [reference],
  )
  return rows
}

/** Each call of a contender is a batch of orders of its own, worked off by so many at once. */
async function compare(title, contenders, { concurrency, prepare }) {
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
      const references = await prepare()
      await before?.(references)
      batches[index].push(references)
    },
  }))
  // All orders are there before the clock runs.
  for (const { fill } of prepared) for (let round = 0; round < ROUNDS + 2; round++) await fill()
  await pool.query('VACUUM ANALYZE')
  const samples = await measureRounds(prepared, { rounds: ROUNDS, calls: 1, warmUpCalls: 2 })
  const [base] = samples
  console.log(`\n${title}: ${ROUNDS} rounds of ${BATCH}, ${process.version}\n`)
  console.log('| What | per second | rate × the first |')
  console.log('| --- | ---: | ---: |')
  contenders.forEach(({ name: what }, index) => {
    const rounds = samples[index]
    const perSecond = Math.round((BATCH * 1000) / median(rounds.map(({ wallMs }) => wallMs)))
    const spread = ratio(base, rounds, 'wallMs')
    const rates = `${spread.median.toFixed(2)} (${spread.min.toFixed(2)} to ${spread.max.toFixed(2)})`
    console.log(`| ${[what, perSecond, rates].join(' | ')} |`)
  })
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
  return { txHash, traceId, bodyBase64Hash, rawAmount, asset, ...addresses, date, late: false }
}

async function onServer(sql) {
  const client = new pg.Client({ connectionString: URL_OF_SERVER })
  await client.connect()
  await client.query(sql)
  await client.end()
}
