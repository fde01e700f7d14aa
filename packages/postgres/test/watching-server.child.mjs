// A server whose watcher finds every payment. It notifies the parent before it submits each one.
import { createHash } from 'node:crypto'
import { createPayments, createPaymentWatcher } from '@tonplug/core'
import { postgresCursor, postgresInbox, postgresOrderRepository } from '@tonplug/postgres'
import pg from 'pg'

const [connectionString, recipient, payer, count] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString, max: 5 })
const utime = Math.floor(Date.now() / 1000) - 600
const hash = (kind, number) => createHash('sha256').update(`${kind} ${number}`).digest('base64')

const ran = { compute_ph: { success: true }, action: { success: true }, aborted: false }
const message = (number) => ({
  hash: hash('message', number),
  source: payer,
  destination: recipient,
  value: 1_000_000_000n,
  created_lt: BigInt(number * 10 + 1),
  created_at: utime,
  bounced: false,
  message_content: { hash: hash('body', number) },
})
const transaction = (number, part) => ({
  hash: hash(part, number),
  account: part === 'first' ? payer : recipient,
  lt: BigInt(number * 10),
  now: utime,
  trace_id: hash('first', number),
  total_fees: 0n,
  mc_block_seqno: 1,
  finality: 'finalized',
  description: ran,
  in_msg: part === 'first' ? { hash: hash('outside', number) } : message(number),
  out_msgs: part === 'first' ? [message(number)] : [],
})
const trace = (number) => ({
  trace_id: hash('first', number),
  external_hash: hash('outside', number),
  start_utime: utime,
  start_lt: BigInt(number * 10),
  trace_info: { trace_state: 'complete', transactions: 2, pending_messages: 0 },
  transactions_order: [hash('first', number), hash('last', number)],
  transactions: {
    [hash('first', number)]: transaction(number, 'first'),
    [hash('last', number)]: transaction(number, 'last'),
  },
})
const numbers = Array.from({ length: Number(count) }, (_, number) => number)
const byHash = new Map(numbers.map((number) => [hash('last', number), number]))
const walkOver = (rows) => () => ({
  async *pages() {
    yield rows
  },
})
/** An index without jettons. */
const v3 = {
  masterchainInfo: async () => ({ last: { gen_utime: utime + 60 } }),
  transactions: { paginate: walkOver(numbers.map((number) => transaction(number, 'last'))) },
  jettonTransfers: { paginate: walkOver([]) },
  messages: async () => ({ messages: [] }),
  traces: async ({ tx_hash: hashes }) => ({
    traces: hashes.map((one) => trace(byHash.get(one))),
    metadata: {},
  }),
  runGetMethod: () => Promise.reject(new Error('there are no jettons')),
}

const ignore = () => undefined
const logger = { debug: ignore, info: ignore, warn: ignore, error: console.error }
const orders = postgresOrderRepository(pool)
const payments = createPayments({
  logger,
  orders,
  wallets: [recipient],
  inbox: postgresInbox(pool),
  onPaid: async ({ order }, { idempotencyKey }) => {
    const values = [order.reference, idempotencyKey]
    await pool.query('INSERT INTO runs (reference, key) VALUES ($1, $2)', values)
  },
})
let answered = ignore
process.on('message', () => answered())
const watched = {
  ...payments,
  async submit(report) {
    const sent = new Promise((resolve) => (answered = resolve))
    const { reference } = report.transfer
    process.send({ found: reference })
    // Either process may be the first.
    if (Number(reference) % 3 === 1) await sent
    return payments.submit(report)
  },
}
const cursor = postgresCursor(pool)
const watcher = createPaymentWatcher({ payments: watched, v3, cursor })
const report = await watcher.run()
process.send({ report })
const close = async () => {
  await watcher.close()
  await payments.close()
  await pool.end()
  process.exit()
}
process.on('SIGTERM', () => void close())
