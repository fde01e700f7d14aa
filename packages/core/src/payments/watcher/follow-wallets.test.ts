import { comment } from '@ton/core'
import { createFakeClock, createTestLogger } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { RetryQueue } from '../../toncenter/follow/retry-queue.js'
import type { RowWatchOptions } from '../../toncenter/follow/row-watch.js'
import { followWallets } from './follow-wallets.js'
import { amountKey, indexOrders, type OrderHint, type WatchedOrder } from './open-orders.js'
import type { Run } from './run-state.js'

const [ours, another] = ['1', '2'].map((digit) => `0:${digit.repeat(64)}`) as [string, string]
const HEAD = 1_767_614_400

const hash = (number: number): string => Buffer.from(hex(number), 'hex').toString('base64')
const hex = (number: number): string => number.toString(16).padStart(64, '0')

/** A transfer with a body hash of its number. */
interface Row {
  number: number
  value?: bigint
  now?: number
  bounced?: boolean
  source?: string | undefined
  sent?: object[]
}

function rowOf({ number, value = 1n, now = HEAD, bounced, sent = [], ...rest }: Row) {
  const source = 'source' in rest ? rest.source : another
  const message_content = { hash: hash(number) }
  return {
    hash: hash(number),
    now,
    account: ours,
    in_msg: { source, value, bounced, message_content },
    out_msgs: sent,
  }
}

const orderOf = (number: number, amounts: string[] = []): WatchedOrder => ({
  reference: `order-${number}`,
  merchant: '',
  recipients: [ours],
  offers: [],
  bodyHash: hex(number),
  comment: undefined,
  amounts,
  createdMs: undefined,
  isOpen: true,
})

/** Opens a run whose index returns these rows of coins, and has no traces. */
function openRun() {
  const clock = createFakeClock()
  const logger = createTestLogger()
  const watches: RowWatchOptions[] = []
  const polls: unknown[] = []
  const saves: object[] = []
  const looked: string[] = []
  const loads: [bodies: (string | undefined)[], rows: number | undefined][] = []
  const state = {
    rows: [] as Row[],
    jettons: [] as object[],
    failure: undefined as Error | undefined,
  }
  const usable = new Set<string>()
  const known = new Set<string>()
  const listOf = (read: () => object[], isCounted: boolean) => ({
    watch(_: object, options: RowWatchOptions) {
      if (isCounted) watches.push(options)
      return {
        async *poll({ head }: { head: number }) {
          if (isCounted) polls.push(head)
          const rows = read()
          if (rows.length > 0) yield rows
          if (state.failure !== undefined) throw state.failure
        },
      }
    },
  })
  const run = {
    clock,
    logger,
    head: HEAD,
    wallets: new Set([ours]),
    orders: indexOrders([]),
    request: {},
    memory: {
      followed: undefined,
      followedTo: HEAD - 60,
      seen: new Set(),
      looked: new Set(),
      sentRefunds: new Map(),
    },
    named: {
      load: async (hints: OrderHint[], rows?: number) =>
        void loads.push([hints.map(({ bodyHash }) => bodyHash), rows]),
      isUsable: ({ bodyHash = '' }: OrderHint) => usable.has(bodyHash),
      isKnown: ({ bodyHash = '' }: OrderHint) => known.has(bodyHash),
    },
    progress: {
      retries: new RetryQueue([], { clock, logger }),
      save: async (changes: object) => void saves.push(changes),
    },
    indexFailures: { succeed: () => undefined },
    v3: {
      transactions: listOf(() => state.rows.map(rowOf), true),
      jettonTransfers: listOf(() => state.jettons, false),
      traces: async ({ tx_hash }: { tx_hash: string[] }) => {
        looked.push(...tx_hash)
        return { traces: [] }
      },
    },
  } as unknown as Run
  return { run, watches, polls, saves, looked, loads, state, usable, known }
}

const NOTABLE = 100_000_000n

describe('the wallets that a watcher follows', () => {
  it('are followed from the overlap before the last block on, and continued', async () => {
    const { run, watches, polls } = openRun()
    await followWallets(run)
    await followWallets({ ...run, head: HEAD + 10 })
    const following = { pageSize: 1000, overlapSeconds: 90 }
    expect(watches).toEqual([{ from: HEAD - 150, ...following }])
    expect(polls).toEqual([HEAD, HEAD + 10])
    expect(run.memory).toMatchObject({ followedTo: HEAD + 10, followed: { to: HEAD + 10 } })
    await followWallets({ ...run, wallets: new Set([ours, another]) })
    expect(watches.slice(1)).toEqual([{ from: HEAD + 10 - 90, ...following }])
  })

  it('are read again from the last block on after a failure', async () => {
    const { run, watches, state } = openRun()
    await followWallets(run)
    state.failure = new Error('no connection')
    await expect(followWallets({ ...run, head: HEAD + 10 })).rejects.toThrow('no connection')
    expect(run.memory).toMatchObject({ followedTo: HEAD, followed: undefined })
    state.failure = undefined
    await followWallets({ ...run, head: HEAD + 20 })
    expect(watches.map(({ from }) => from)).toEqual([HEAD - 150, HEAD - 90])
  })

  it('have the refunds that they sent remembered until the end of the run', async () => {
    const { run, state } = openRun()
    const txHash = '0a'.repeat(32)
    const body = comment(`refund ${txHash}`).toBoc().toString('base64')
    state.rows = [{ number: 1, sent: [{ value: 5n, message_content: { body } }] }]
    await followWallets(run)
    const sent = { txHash, rawAmount: 5n, wallet: ours, utime: HEAD, state: 'new' }
    expect([...run.memory.sentRefunds.values()]).toEqual([sent])
  })

  it('have those transfers looked up that may concern an order', async () => {
    const { run, looked, state, usable, known, loads, saves } = openRun()
    const byAmount = amountKey({ recipient: ours, asset: 'TON', rawAmount: 7n })
    const orders = indexOrders([orderOf(1), orderOf(99, [byAmount])])
    usable.add(hex(3))
    known.add(hex(3))
    known.add(hex(5))
    state.rows = [
      { number: 1 },
      { number: 2, value: 7n },
      { number: 3 },
      { number: 4, value: NOTABLE },
      { number: 5, value: NOTABLE },
      { number: 6, value: NOTABLE - 1n },
      { number: 7, value: NOTABLE, bounced: true },
      { number: 8, value: NOTABLE, source: undefined },
    ]
    await followWallets({ ...run, orders })
    expect(looked).toEqual([1, 2, 3, 4].map(hash))
    // The repository is not asked for open orders.
    expect(loads[0]).toEqual([[3, 4, 5, 6].map(hex), 8])
    expect(saves).toEqual([{}])
  })

  it('have each jetton transfer looked up that was not aborted', async () => {
    const { run, looked, state } = openRun()
    state.jettons = [
      { transaction_hash: hash(1), transaction_now: HEAD, transaction_aborted: false },
      { transaction_hash: hash(2), transaction_now: HEAD, transaction_aborted: true },
    ]
    await followWallets(run)
    expect(looked).toEqual([hash(1)])
  })

  it('save nothing without a transaction to retry', async () => {
    const { run, saves, state } = openRun()
    state.rows = [{ number: 6 }]
    await followWallets(run)
    expect(saves).toEqual([])
  })
})

describe('the transfers of the overlap', () => {
  it('are compared with orders that are stored later', async () => {
    const { run, looked, state } = openRun()
    state.rows = [
      { number: 1, now: HEAD },
      { number: 2, now: HEAD - 91 },
    ]
    await followWallets(run)
    state.rows = []
    const orders = indexOrders([orderOf(1), orderOf(2), orderOf(3)])
    await followWallets({ ...run, orders, head: HEAD + 90 })
    expect(looked).toEqual([hash(1)])
  })

  it('are compared once with the same orders', async () => {
    const { run, loads, state } = openRun()
    state.rows = [{ number: 1 }]
    await followWallets(run)
    state.rows = []
    const before = loads.length
    await followWallets({ ...run, head: HEAD + 1 })
    expect(loads.slice(before).flatMap(([bodies]) => bodies)).toEqual([])
  })

  it('are forgotten when they are older than the overlap', async () => {
    const { run, looked, state } = openRun()
    state.rows = [{ number: 1, now: HEAD }]
    await followWallets(run)
    state.rows = []
    await followWallets({ ...run, orders: indexOrders([orderOf(1)]), head: HEAD + 91 })
    expect(looked).toEqual([])
  })

  it('are at most the newest thousand', async () => {
    const { run, looked, state } = openRun()
    state.rows = Array.from({ length: 1001 }, (_, number) => ({ number }))
    await followWallets(run)
    expect(run.memory.followed?.recent).toHaveLength(1000)
    state.rows = []
    const orders = indexOrders([orderOf(0), orderOf(1), orderOf(1000)])
    await followWallets({ ...run, orders, head: HEAD + 1 })
    expect(looked).toEqual([1, 1000].map(hash))
  })
})
