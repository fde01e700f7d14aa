import { setImmediate } from 'node:timers/promises'
import { comment } from '@ton/core'
import { createTestLogger } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import type { StreamEvent } from '../../toncenter/stream/events.js'
import { indexOrders, type OpenOrders, type WatchedOrder } from './open-orders.js'
import type { ReportedTransactions, WatcherContext } from './reported-transactions.js'
import { StreamWatch } from './stream-watch.js'

const [ours, another] = ['1', '2'].map((digit) => `0:${digit.repeat(64)}`) as [string, string]
const jetton = `0:${'9'.repeat(64)}`
const BODY = 'b'.repeat(64)

interface Subscription {
  addresses: string[]
  signal: AbortSignal
  events: ReadableStreamDefaultController<unknown>
}

const orderOf = (changes: Partial<WatchedOrder> = {}): WatchedOrder => ({
  reference: 'order-1',
  merchant: 'ann',
  recipients: [ours],
  offers: [{ asset: 'TON', rawAmount: 1n }],
  bodyHash: BODY,
  comment: 'order-1',
  amounts: [],
  createdMs: undefined,
  isOpen: true,
  ...changes,
})

/** Opens a watcher of a stream whose events the test sends. */
function openStream(listed: WatchedOrder[] = [orderOf()]) {
  const logger = createTestLogger()
  const closing = new AbortController()
  const subscriptions: Subscription[] = []
  const calls: unknown[] = []
  const openOrders = {
    index: indexOrders(listed),
    addNew: async (): Promise<void> => {
      calls.push('addNew')
    },
  }
  const context = {
    logger,
    closing: closing.signal,
    checkNow: () => calls.push('checkNow'),
    lookSoon: () => calls.push('lookSoon'),
    memory: { openOrders },
    payments: {
      setDetected: ({ reference }: WatchedOrder, isSeen: boolean) =>
        calls.push([reference, isSeen]),
    },
    stream: {
      subscribe({ addresses, signal }: Subscription) {
        return new ReadableStream({
          start(events) {
            subscriptions.push({ addresses, signal, events })
            signal.addEventListener('abort', () => events.error(signal.reason))
          },
        })
      },
    },
  }
  const reported = { add: (one: unknown) => calls.push(one) } as unknown as ReportedTransactions
  // The fields that listening needs.
  const watch = new StreamWatch(context as unknown as WatcherContext, reported)
  watch.listen(new Set([ours]))
  const send = async (...events: object[]): Promise<void> => {
    for (const event of events) subscriptions.at(-1)?.events.enqueue(event as StreamEvent)
    await setImmediate()
  }
  return { watch, logger, closing, subscriptions, calls, openOrders, send, context, reported }
}

/** A message that a wallet received. */
interface Received {
  account?: string
  source?: string | undefined
  bounced?: boolean
  hash?: string
  text?: string
}

function transactionOf(given: Received = {}) {
  const { account = ours, bounced, hash = BODY, text } = given
  const source = 'source' in given ? given.source : another
  const body = text === undefined ? undefined : comment(text).toBoc().toString('base64')
  return { hash: 'tx', account, in_msg: { source, bounced, message_content: { hash, body } } }
}

const seen = (trace: string, ...transactions: object[]) => ({
  type: 'transactions',
  finality: 'pending',
  trace_external_hash_norm: trace,
  transactions,
})
const final = (...transactions: object[]) => ({
  ...seen('', ...transactions),
  finality: 'finalized',
})
const invalidated = (trace: string) => ({
  type: 'trace_invalidated',
  trace_external_hash_norm: trace,
})

describe('the stream of a watcher', () => {
  it('is subscribed to until the wallets change, or until there is no wallet', async () => {
    const { watch, subscriptions, send } = openStream()
    await send({ type: 'connected' })
    watch.listen(new Set([ours]))
    expect(subscriptions.map(({ addresses }) => addresses)).toEqual([[ours]])
    expect(watch.isConnected).toBe(true)
    watch.listen(new Set([ours, another]))
    expect(watch.isConnected).toBe(false)
    expect(subscriptions.map(({ addresses }) => addresses)).toEqual([[ours], [ours, another]])
    watch.listen(new Set())
    watch.listen(new Set())
    expect(subscriptions.map(({ signal }) => signal.aborted)).toEqual([true, true])
    watch.listen(new Set([ours]))
    expect(subscriptions).toHaveLength(3)
  })

  it('is not subscribed to after the watcher was closed', async () => {
    const { watch, subscriptions, closing, logger } = openStream()
    closing.abort()
    await setImmediate()
    watch.listen(new Set([another]))
    expect(subscriptions.map(({ signal }) => signal.aborted)).toEqual([true])
    expect(logger.lines).toEqual([])
  })

  it('begins a run when it is connected or disconnected, and one soon after missed events', async () => {
    const { watch, calls, send } = openStream()
    await send({ type: 'connected' })
    expect(watch.isConnected).toBe(true)
    await send({ type: 'disconnected' })
    expect(watch.isConnected).toBe(false)
    await send({ type: 'missed' })
    expect(calls).toEqual(['checkNow', 'checkNow', 'lookSoon'])
  })

  it('is not connected after its end, and an error is logged', async () => {
    const { watch, send, subscriptions, logger } = openStream()
    await send({ type: 'connected' })
    subscriptions[0]?.events.close()
    await setImmediate()
    expect(watch.isConnected).toBe(false)
    expect(logger.lines).toEqual([])
    const other = openStream()
    await other.send({ type: 'connected' })
    other.subscriptions[0]?.events.error(new Error('no connection'))
    await setImmediate()
    expect(other.watch.isConnected).toBe(false)
    expect(other.logger.lines).toMatchObject([{ level: 'error' }])
  })

  it('has transactions looked up that are final and may have brought money', async () => {
    const { calls, send } = openStream()
    const others: Received[] = [{ source: undefined }, { source: '' }, { bounced: true }]
    await send(final(transactionOf(), ...others.map(transactionOf), { hash: 'x' }))
    expect(calls).toEqual([{ transactionHash: 'tx' }])
  })

  it('has jetton wallets looked up when their change is final', async () => {
    const { calls, send } = openStream()
    const event = { type: 'jettons_change', jetton: { address: jetton, last_transaction_lt: 7n } }
    await send({ ...event, finality: 'pending' }, { ...event, finality: 'finalized' })
    expect(calls).toEqual([{ account: jetton, lt: 7n }])
  })

  it('does nothing without a stream', () => {
    const { context, reported, calls } = openStream()
    const given = { ...context, stream: undefined } as unknown as WatcherContext
    const watch = new StreamWatch(given, reported)
    watch.listen(new Set([ours]))
    expect([watch.isConnected, calls]).toEqual([false, []])
  })
})

describe('a payment that is not final', () => {
  it('is shown until its trace is taken back', async () => {
    const { calls, send } = openStream()
    await send(seen('a', transactionOf()))
    expect(calls).toEqual([['order-1', true]])
    await send(invalidated('b'), invalidated('a'), invalidated('a'))
    expect(calls.slice(1)).toEqual([['order-1', false]])
  })

  it.each<[string, Received, Partial<WatchedOrder>, boolean]>([
    ['a comment', { hash: 'a'.repeat(64), text: 'order-1' }, {}, true],
    ['another comment', { hash: 'a'.repeat(64), text: 'order-2' }, {}, false],
    ['money to another wallet', { account: another }, {}, false],
    ['coins for an order in a jetton', {}, { offers: [{ asset: jetton, rawAmount: 1n }] }, false],
    [
      'coins for an order in both',
      {},
      { offers: ['TON', jetton].map((asset) => ({ asset, rawAmount: 1n })) },
      true,
    ],
  ])('is recognized with %s', async (_, received, changes, isShown) => {
    const { calls, send } = openStream([orderOf(changes)])
    await send(seen('a', transactionOf(received)))
    expect(calls).toEqual(isShown ? [['order-1', true]] : ['addNew'])
  })

  it('lists new orders, once for several payments', async () => {
    const { calls, send, openOrders } = openStream([])
    openOrders.addNew = async () => {
      calls.push('addNew')
      await setImmediate()
      openOrders.index = indexOrders([orderOf()])
    }
    await send(seen('a', transactionOf()), seen('b', transactionOf()), seen('c'))
    await setImmediate()
    await setImmediate()
    expect(calls).toEqual(['addNew', ['order-1', true], ['order-1', true]])
    openOrders.index = indexOrders([]) satisfies OpenOrders
    await send(seen('d', transactionOf()))
    expect(calls.at(-1)).toBe('addNew')
  })

  it('is not shown when it was taken back while orders were listed', async () => {
    const { calls, send, openOrders } = openStream([])
    openOrders.addNew = async () => {
      await setImmediate()
      openOrders.index = indexOrders([orderOf()])
    }
    await send(seen('a', transactionOf()), invalidated('a'))
    await setImmediate()
    await setImmediate()
    expect(calls).toEqual([])
  })

  it('is left to a run when orders cannot be listed', async () => {
    const { calls, send, openOrders } = openStream([])
    openOrders.addNew = () => Promise.reject(new Error('no connection'))
    await send(seen('a', transactionOf()))
    expect(calls).toEqual([])
    openOrders.index = indexOrders([orderOf()])
    await send(seen('b', transactionOf()))
    expect(calls).toEqual([['order-1', true]])
  })
})
