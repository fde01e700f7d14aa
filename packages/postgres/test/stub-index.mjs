// An index without jettons: one payment of 1 TON for each number, from `firstUtime` on, `perSecond` in a second.
import { createHash } from 'node:crypto'

const hash = (kind, number) => createHash('sha256').update(`${kind} ${number}`).digest('base64')

const ran = { compute_ph: { success: true }, action: { success: true }, aborted: false }

/** @param head returns the time of the newest block, Unix seconds */
export function createStubIndex({ recipient, payer, count, firstUtime, perSecond, head }) {
  const utimeOf = (number) => firstUtime + Math.floor(number / perSecond)
  const message = (number) => ({
    hash: hash('message', number),
    source: payer,
    destination: recipient,
    value: 1_000_000_000n,
    created_lt: BigInt(number * 10 + 1),
    created_at: utimeOf(number),
    bounced: false,
    message_content: { hash: hash('body', number) },
  })
  const transaction = (number, part) => ({
    hash: hash(part, number),
    account: part === 'first' ? payer : recipient,
    lt: BigInt(number * 10),
    now: utimeOf(number),
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
    start_utime: utimeOf(number),
    start_lt: BigInt(number * 10),
    trace_info: { trace_state: 'complete', transactions: 2, pending_messages: 0 },
    transactions_order: [hash('first', number), hash('last', number)],
    transactions: {
      [hash('first', number)]: transaction(number, 'first'),
      [hash('last', number)]: transaction(number, 'last'),
    },
  })
  const numbers = Array.from({ length: count }, (_, number) => number)
  const byHash = new Map(numbers.map((number) => [hash('last', number), number]))
  const rowsIn = ({ start_utime: start, end_utime: end }) =>
    numbers
      .filter((number) => utimeOf(number) >= start && utimeOf(number) <= Math.min(end, head()))
      .map((number) => transaction(number, 'last'))
  const list = (name, select) =>
    Object.assign(async (params) => ({ [name]: select(params).slice(0, params.limit) }), {
      paginate: (params) => ({
        async *pages() {
          const rows = select(params)
          for (let start = 0; start < rows.length; start += 1000) {
            yield rows.slice(start, start + 1000)
          }
        },
      }),
      /** Delivers each row once. */
      watch(_params, { from }) {
        let delivered = 0
        return {
          async *poll({ head: end }) {
            const rows = select({ start_utime: from, end_utime: end })
            if (rows.length > delivered) yield rows.slice(delivered)
            delivered = Math.max(delivered, rows.length)
          },
        }
      },
    })
  return {
    masterchainInfo: async () => ({ last: { gen_utime: head() } }),
    transactions: list('transactions', rowsIn),
    jettonTransfers: list('jetton_transfers', () => []),
    messages: async () => ({ messages: [] }),
    traces: async ({ tx_hash: hashes }) => ({
      traces: hashes.map((one) => trace(byHash.get(one))),
      metadata: {},
    }),
    // No contract is a jetton wallet or a jetton master.
    runGetMethod: async () => ({ stack: [] }),
  }
}
