import { createFakeClock, createTestLogger } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import type { Order } from '../orders/order.js'
import type { OrderRepository } from '../orders/repository.js'
import { OpenOrderList } from './open-order-list.js'
import type { ResolvedWatcherOptions } from './options.js'

const WALLET = `0:${'1'.repeat(64)}`
const DAY_MS = 86_400_000
const MAX_OPEN = 20_000

type Query = Parameters<OrderRepository['listOpen']>[0]

/** Opens a list of orders, which a repository returns whatever the query is. */
function openList(wallets: string[] = [WALLET]) {
  const listed: Order[] = []
  const clock = createFakeClock()
  const logger = createTestLogger()
  const queries: Query[] = []
  const state: { failure?: Error | undefined } = {}
  const orders = {
    async *listOpen(query: Query) {
      queries.push(query)
      yield* listed
      if (state.failure !== undefined) throw state.failure
    },
  }
  const options = {
    clock,
    logger,
    maxIntervalMs: 60_000,
    matchBy: ['body', 'comment'],
    commentOf: ({ reference }: Order) => reference,
    payments: { internals: { orders, wallets } },
  }
  const list = new OpenOrderList(options as unknown as ResolvedWatcherOptions)
  const ageMs = (ms: number): Date => new Date(clock.nowMs() - ms)
  return { list, clock, logger, queries, state, listed, ageMs }
}

function orderOf(reference: string, createdAt?: Date, changes: Partial<Order> = {}): Order {
  return { reference, rawAmount: 1n, asset: 'TON', status: 'pending', createdAt, ...changes }
}

describe('the list of open orders', () => {
  it('has the times of its oldest and newest order, and none without orders', async () => {
    const { list, listed, ageMs } = openList()
    await list.reload()
    expect(list.newestMs).toBeUndefined()
    expect(list.counts).toEqual({ openOrders: 0, unwatched: 0, oldestOpenMs: undefined })
    listed.push(orderOf('b', ageMs(20)), orderOf('c', ageMs(10)), orderOf('a', ageMs(30)))
    listed.push(orderOf('undated'))
    await list.reload()
    expect(list.newestMs).toBe(ageMs(10).getTime())
    expect(list.counts).toEqual({
      openOrders: 4,
      unwatched: 0,
      oldestOpenMs: ageMs(30).getTime(),
    })
  })

  it('leaves out older orders, also those that the repository returns for its query', async () => {
    const { list, listed, queries, ageMs } = openList()
    listed.push(orderOf('in time', ageMs(DAY_MS)), orderOf('too old', ageMs(DAY_MS + 1)))
    await list.reload(DAY_MS)
    expect(queries).toEqual([{ createdAfter: ageMs(DAY_MS), limit: MAX_OPEN }])
    expect(list.index.all.map(({ reference }) => reference)).toEqual(['in time'])
  })

  it('forgets completed orders when it is listed again, and keeps them when orders are added', async () => {
    const { list, listed, ageMs } = openList()
    listed.push(orderOf('first', ageMs(0)))
    await list.reload()
    listed.splice(0, 1, orderOf('second', ageMs(0)))
    await list.addNew()
    expect(list.index.all.map(({ reference }) => reference)).toEqual(['first', 'second'])
    await list.reload()
    expect(list.index.all.map(({ reference }) => reference)).toEqual(['second'])
  })

  it('asks for new orders since ten seconds before the last call, and lists all once a minute', async () => {
    const { list, clock, queries } = openList()
    await list.refresh()
    const first = clock.nowMs()
    await clock.advance(30_000)
    await list.refresh()
    await clock.advance(29_999)
    await list.refresh()
    await clock.advance(1)
    await list.refresh()
    const since = queries.map(({ createdAfter }) => createdAfter?.getTime())
    expect(since).toEqual([
      first - 30 * DAY_MS,
      first - 10_000,
      first + 20_000,
      first + 60_000 - 30 * DAY_MS,
    ])
  })

  it('keeps its index while nothing is new', async () => {
    const { list, listed, ageMs } = openList()
    listed.push(orderOf('first', ageMs(0)))
    await list.reload()
    const { index } = list
    await list.addNew()
    expect(list.index).toBe(index)
  })

  it('keeps what was read before the repository fails, and is only replaced by a complete list', async () => {
    const { list, listed, ageMs, state, queries } = openList()
    state.failure = new Error('no connection')
    listed.push(orderOf('first', ageMs(0)))
    await expect(list.reload()).rejects.toThrow('orders.listOpen')
    expect(list.index.all).toEqual([])
    await expect(list.addNew()).rejects.toThrow('orders.listOpen')
    expect(list.index.all.map(({ reference }) => reference)).toEqual(['first'])
    state.failure = undefined
    await list.addNew()
    // A call that failed does not count as the last one.
    expect(queries.map(({ createdAfter }) => createdAfter)).toEqual([
      ageMs(30 * DAY_MS),
      ageMs(30 * DAY_MS),
      ageMs(30 * DAY_MS),
    ])
  })

  it('counts orders without a recipient and unusable ones, and logs them once in a list', async () => {
    const { list, listed, logger, ageMs } = openList([])
    listed.push(orderOf('unwatched', ageMs(1)), orderOf('watched', ageMs(1), { recipient: WALLET }))
    listed.push(orderOf('unusable', ageMs(1), { rawAmount: -1n }))
    await list.reload()
    await list.addNew()
    expect(list.counts).toMatchObject({ openOrders: 3, unwatched: 2 })
    expect(list.index.all.map(({ reference }) => reference)).toEqual(['watched'])
    expect([...list.wallets()]).toEqual([WALLET])
    expect(logger.lines.map(({ level, fields }) => [level, fields])).toEqual([
      ['error', { error: expect.objectContaining({ code: 'ERR_TONPLUG_REPOSITORY' }) }],
      ['warn', { orders: 2 }],
    ])
  })

  it('logs orders that are more than a minute in the future', async () => {
    const { list, listed, logger, ageMs } = openList()
    listed.push(orderOf('early', ageMs(-60_000)))
    await list.reload()
    expect(logger.lines).toEqual([])
    listed.push(orderOf('too early', ageMs(-60_001)))
    await list.reload()
    expect(logger.lines).toEqual([
      {
        level: 'warn',
        message: expect.stringContaining('created in the future'),
        fields: { futureMs: 60_001 },
      },
    ])
  })

  it('learns of one new order at a time when it is full, and keeps that time when it is listed again', async () => {
    const { list, listed, queries, ageMs } = openList()
    const createdAt = ageMs(1000)
    for (let number = 0; number < MAX_OPEN; number++) listed.push(orderOf(`${number}`, createdAt))
    await list.reload()
    listed.unshift(orderOf('new', ageMs(500)), orderOf('newer', ageMs(0)))
    await list.addNew()
    expect(queries.at(-1)).toMatchObject({ limit: 1 })
    expect(list.counts).toMatchObject({ openOrders: MAX_OPEN })
    expect(list.newestMs).toBe(ageMs(500).getTime())
    listed.splice(0, 2)
    await list.reload()
    expect(list.newestMs).toBe(ageMs(500).getTime())
    listed.splice(1)
    await list.reload()
    await list.reload()
    expect(list.newestMs).toBe(createdAt.getTime())
  })
})
