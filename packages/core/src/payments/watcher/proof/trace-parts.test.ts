import { describe, expect, it } from 'vitest'
import type { V3Trace } from '../../../toncenter/v3/generated/types.js'
import { readTraceParts, type PartReader } from './trace-parts.js'

/** An index with a chain of transactions, each the cause of the next one. */
function createChain(length: number) {
  const all = Array.from({ length }, (_, at) => ({
    hash: `t${at}`,
    lt: BigInt(at),
    now: 1,
    trace_id: 'x',
    account: '0:1',
    in_msg: { hash: `m${at}`, source: at === 0 ? undefined : '0:1', destination: '0:2' },
    out_msgs: at === length - 1 ? [] : [{ hash: `m${at + 1}`, source: '0:2', destination: '0:1' }],
  }))
  let requests = 0
  const client = {
    transactions: async ({ hash }: { hash: readonly string[] }) => {
      requests += 1
      return { transactions: all.filter((one) => hash.includes(one.hash)) }
    },
    messages: async ({ msg_hash }: { msg_hash: readonly string[] }) => {
      requests += 1
      const messages = msg_hash.map((hash) => {
        const at = Number(hash.slice(1))
        return { hash, in_msg_tx_hash: all[at]?.hash, out_msg_tx_hash: all[at - 1]?.hash }
      })
      return { messages }
    },
  }
  // The fields that reading a part needs.
  return { client: client as unknown as PartReader, requests: () => requests }
}

it.each([3, 100, 400, 600])(
  'reads a part of a trace with %i steps by few requests',
  async (length) => {
    const { client, requests } = createChain(length)

    const [part] = await readTraceParts(client, { large: [], hashes: ['t1'] }, {})

    expect(requests()).toBeLessThan(120)
    const known = part?.transactions_order.length ?? 0
    // One more than the known ones where the rest is missing.
    expect(part?.trace_info.transactions).toBe(length > 50 ? known + 1 : known)
  },
)

interface Sent {
  hash: string
  /** The messages that it received and sent; a message begins with its number. */
  from?: string
  to?: string[]
  lt?: number
  trace?: string
}

/** An index of some transactions, which has these rows of messages. */
function createIndex(transactions: Sent[], messages: [hash: string, from: string, to: string][]) {
  const calls: unknown[] = []
  const internal = (hash: string) => ({ hash, source: '0:1', destination: '0:2' })
  const rows = transactions.map(({ hash, from, to = [], lt = 1, trace = 'x' }) => ({
    hash,
    lt: BigInt(lt),
    now: 100 + lt,
    trace_id: trace,
    account: '0:1',
    in_msg: from === undefined ? { hash: `external ${hash}` } : internal(from),
    out_msgs: to.map(internal),
  }))
  const client = {
    transactions: async ({ hash, limit }: { hash: readonly string[]; limit: number }) => {
      calls.push(['transactions', hash.length, limit])
      return { transactions: rows.filter((one) => hash.includes(one.hash)) }
    },
    messages: async ({ msg_hash, limit }: { msg_hash: readonly string[]; limit: number }) => {
      calls.push(['messages', msg_hash.length, limit])
      const found = messages.filter(([hash]) => msg_hash.includes(hash))
      return {
        messages: found.map(([hash, from, to]) => ({
          hash,
          out_msg_tx_hash: from,
          in_msg_tx_hash: to,
        })),
      }
    },
  }
  // The fields that reading a part needs.
  return { client: client as unknown as PartReader, calls }
}

const ROOT: Sent = { hash: 'root', to: ['1'], lt: 1 }
const PAYMENT: Sent = { hash: 'payment', from: '1', to: ['2'], lt: 2 }
const EXCESS: Sent = { hash: 'excess', from: '2', lt: 3 }
const FIRST = ['1', 'root', 'payment'] as [string, string, string]
const LAST = ['2', 'payment', 'excess'] as [string, string, string]

const read = (client: PartReader, hashes = ['payment'], large: V3Trace[] = []) =>
  readTraceParts(client, { large, hashes }, {})

describe('a part of a trace', () => {
  it('has the way to a transaction, and what follows from it, in the order of their times', async () => {
    const { client } = createIndex([EXCESS, PAYMENT, ROOT], [FIRST, LAST])
    const [part] = await read(client)
    expect(part).toMatchObject({
      trace_id: 'x',
      external_hash: 'external root',
      start_lt: 1n,
      start_utime: 101,
      trace_info: {
        trace_state: 'complete',
        pending_messages: 0,
        messages: 3,
        transactions: 3,
      },
      transactions_order: ['root', 'payment', 'excess'],
    })
    expect(Object.keys(part?.transactions ?? {})).toEqual(['root', 'payment', 'excess'])
  })

  it.each<[string, Sent[], [string, string, string][]]>([
    ['the first transaction', [PAYMENT, EXCESS], [FIRST, LAST]],
    ['what follows', [ROOT, PAYMENT], [FIRST, LAST]],
    ['the message before', [ROOT, PAYMENT, EXCESS], [LAST]],
    ['the message that follows', [ROOT, PAYMENT, EXCESS], [FIRST]],
    ['the receiver of a message', [ROOT, PAYMENT, EXCESS], [FIRST, ['2', 'payment', '']]],
  ])('is incomplete without %s', async (_, transactions, messages) => {
    const { client } = createIndex(transactions, messages)
    const [part] = await read(client)
    const known = part?.transactions_order.length ?? 0
    expect(part?.trace_info.transactions).toBe(known + 1)
  })

  it('is incomplete when one of two messages has no receiver', async () => {
    const transactions = [
      { ...ROOT, to: ['1', '9'] },
      { ...PAYMENT, to: [] },
    ]
    const { client } = createIndex(transactions, [FIRST, ['9', 'root', '']])
    const [part] = await read(client, ['root'])
    expect(part?.transactions_order).toEqual(['root', 'payment'])
    expect(part?.trace_info.transactions).toBe(3)
  })

  it('has the state and the external hash of the large trace', async () => {
    const { client } = createIndex([ROOT, PAYMENT, EXCESS], [FIRST, LAST])
    const trace_info = { trace_state: 'pending', pending_messages: 2, messages: 9, transactions: 9 }
    const header = { trace_id: 'x', external_hash: 'external', trace_info }
    const large = [{ trace_id: 'y' }, header] as V3Trace[]
    expect(await read(client, ['payment'], large)).toMatchObject([
      {
        external_hash: 'external',
        trace_info: { trace_state: 'pending', pending_messages: 2, messages: 3, transactions: 3 },
      },
    ])
  })

  it('is one for each trace', async () => {
    const other = { hash: 'other', trace: 'y', lt: 9 }
    const { client } = createIndex([ROOT, PAYMENT, EXCESS, other], [FIRST, LAST])
    const parts = await read(client, ['payment', 'other'])
    expect(parts.map(({ trace_id, transactions_order }) => [trace_id, transactions_order])).toEqual(
      [
        ['x', ['root', 'payment', 'excess']],
        ['y', ['other']],
      ],
    )
  })

  it('is read by requests of fifty hashes', async () => {
    const to = Array.from({ length: 51 }, (_, number) => `m${number}`)
    const received = to.map((hash): Sent => ({ hash: `t ${hash}`, from: hash, lt: 2 }))
    const messages = to.map((hash): [string, string, string] => [hash, 'root', `t ${hash}`])
    const { client, calls } = createIndex([{ ...ROOT, to }, ...received], messages)
    const [part] = await read(client, ['root'])
    expect(part?.trace_info.transactions).toBe(52)
    expect(calls).toEqual([
      ['transactions', 1, 1],
      ['messages', 50, 100],
      ['messages', 1, 2],
      ['transactions', 50, 50],
      ['transactions', 1, 1],
    ])
  })

  it.each([
    [500, 501],
    [501, 2],
  ])('leaves out %i transactions that follow when they are too many', async (count, known) => {
    const to = Array.from({ length: count }, (_, number) => `m${number}`)
    const received = to.map((hash): Sent => ({ hash: `t ${hash}`, from: hash, lt: 2 }))
    const messages = to.map((hash): [string, string, string] => [hash, 'root', `t ${hash}`])
    const { client } = createIndex([{ ...ROOT, to }, ...received], messages)
    const [part] = await read(client, ['root'])
    expect(part?.trace_info.transactions).toBe(known)
  })
})
