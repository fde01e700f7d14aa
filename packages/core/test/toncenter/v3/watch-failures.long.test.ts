import { createFakeClock } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { ResponseShapeError, InvalidParamsError } from '../../../src/toncenter/errors/api.js'
import { ConfigurationError } from '../../../src/shared/configuration-error.js'
import { UnreadableRowError } from '../../../src/toncenter/follow/errors.js'
import type { TonplugError } from '../../../src/shared/tonplug-error.js'
import type { ListName } from '../../../src/toncenter/v3/paging/lists.js'
import type { TimedListName } from '../../../src/toncenter/v3/paging/timed-lists.js'
import { createV3Client } from '../../../src/toncenter/v3/client.js'
import { createRandom } from '@tonplug/test-support/random'
import { watch, POLL_MS, run, serveWatch } from './watches.js'
import { addressOf, hashOf, type IndexRow } from './index-rows.js'
import {
  collect,
  DIRECTORIES,
  idsUpTo,
  paginate,
  rowsUpTo,
  serve,
  sorted,
  START_UTIME,
  stored,
  TIMED,
} from './pagination.js'

const TIMED_NAMES = Object.keys(TIMED) as TimedListName[]
const path = '/transactions'
const from = START_UTIME

/** One row a second. */
function oneASecond(count: number, more: Partial<IndexRow> = {}): IndexRow[] {
  return idsUpTo(count).map((id) => ({
    id,
    lt: id * 1000,
    utime: START_UTIME + id,
    account: id,
    ...more,
  }))
}

describe('responses with fewer rows than there are', () => {
  it.each(TIMED_NAMES)('do not make %s.watch skip a row', async (name) => {
    const random = createRandom(3)
    const head = { seqno: 1, utime: START_UTIME }
    const list = TIMED[name]
    let newest = 0
    const { server, v3, clock } = await serveWatch({
      head,
      // At least as many as share a second, and one more.
      mostRows: () => 4 + Math.floor(random() * 20),
    })
    const options = { from, pageSize: 10, overlapSeconds: 20 }
    const running = run(watch(v3, name, {}, options), clock)
    for (let step = 0; step < 40; step++) {
      await running.rest()
      for (let second = 0; second < 5; second++) {
        head.utime++
        const added = Math.floor(random() * 4)
        for (let count = 0; count < added; count++) {
          newest++
          const row = { id: newest, lt: newest * 1000, utime: head.utime, account: newest }
          server.table(list).insert(row)
        }
      }
      await clock.advance(POLL_MS)
    }
    head.utime += 200
    await running.poll()
    expect(running.ids).toHaveLength(newest)
    expect(sorted(running.ids)).toEqual(idsUpTo(newest))
  })

  it.each(TIMED_NAMES)('do not make %s.watch skip rows while it catches up', async (name) => {
    const head = { seqno: 1, utime: START_UTIME + 5000 }
    let cuts = 3
    const { v3, clock } = await serveWatch({
      rows: { [TIMED[name]]: oneASecond(42) },
      head,
      // The row that the page begins with, and no other.
      mostRows: () => (cuts-- > 0 ? 1 : 1000),
    })
    const running = run(watch(v3, name, {}, { from, pageSize: 10 }), clock)
    await running.rest()
    expect(running.ids).toEqual(idsUpTo(42))
  })

  it.each([1, 5])('do not make transactions.watch skip rows: %d empty ones', async (count) => {
    const head = { seqno: 1, utime: START_UTIME + 1 }
    let empty = 0
    const { v3, clock } = await serveWatch({
      rows: { [path]: oneASecond(42) },
      head,
      mostRows: ({ path: at }) => (at === path && empty-- > 0 ? 0 : 1000),
    })
    const running = run(v3.transactions.watch({}, { from, pollMs: POLL_MS }), clock)
    await running.rest()
    expect(running.ids).toEqual([1])
    // The answer lacks the row that was delivered.
    empty = count
    head.utime += 1000
    for (let poll = 0; poll < 6; poll++) await running.poll()
    expect(running.ids).toEqual(idsUpTo(42))
  })

  it('are requested again at the start, when there are no rows', async () => {
    const head = { seqno: 1, utime: START_UTIME + 1000 }
    let empty = 1
    const { v3, clock } = await serveWatch({
      rows: { [path]: oneASecond(42) },
      head,
      mostRows: ({ path: at }) => (at === path && empty-- > 0 ? 0 : 1000),
    })
    const running = run(v3.transactions.watch({}, { from, pollMs: POLL_MS }), clock)
    await running.rest()
    expect(running.ids).toEqual(idsUpTo(42))
  })

  it('do not make transactions.watch skip rows when no response has more than one', async () => {
    const head = { seqno: 1, utime: START_UTIME + 500 }
    const { v3, clock } = await serveWatch({
      rows: { [path]: oneASecond(900) },
      head,
      mostRows: () => 1,
    })
    const running = run(v3.transactions.watch({}, { from, pollMs: POLL_MS }), clock)
    await running.rest()
    for (; head.utime < START_UTIME + 1200; head.utime += 20) await running.poll()
    expect(sorted(running.ids)).toEqual(idsUpTo(900))
  })

  it('do not make blocks.watch skip one, even when they are empty', async () => {
    const head = { seqno: 1, utime: START_UTIME + 9 }
    let most = 1000
    const { server, v3, clock } = await serveWatch({
      rows: { '/blocks': oneASecond(30) },
      head,
      mostRows: ({ path: at }) => (at === '/blocks' ? most : 1000),
    })
    const options = { pollMs: POLL_MS, from, overlapSeconds: 2, pageSize: 10 }
    const current = v3.blocks.watch({}, options)
    const running = run(current, clock)
    await running.rest()
    expect(running.ids).toEqual(idsUpTo(9))
    // The first page of a poll is empty, however far the head moves.
    for (most = 0; head.utime < START_UTIME + 1000; head.utime += 100) await running.poll()
    most = 1000
    await running.poll()
    expect(running.ids).toEqual(idsUpTo(30))
    // Where nothing has come for an hour there is nothing.
    for (const { id } of oneASecond(30)) server.table('/blocks').remove(id)
    head.utime += 10_000
    await running.poll()
    expect(stored(current).position).toEqual({ from: head.utime - 3600, seen: [] })
  })

  it.each(TIMED_NAMES)('do not end %s.paginate', async (name) => {
    const rows = oneASecond(95)
    for (const sort of ['asc', 'desc']) {
      const random = createRandom(9)
      const { v3 } = await serve({
        rows: { [TIMED[name]]: rows },
        mostRows: () => 2 + Math.floor(random() * 7),
      })
      const params = { sort, ...(name === 'messages' && { exclude_externals: true }) }
      const ids = await collect(paginate(v3, name, params))
      expect(ids).toEqual(sort === 'asc' ? idsUpTo(95) : idsUpTo(95).reverse())
    }
  })
})

describe('more rows at one time than a page holds', () => {
  const NAMES = ['jettonBurns', 'jettonTransfers', 'nftTransfers'] as const
  const together = (count: number): IndexRow[] => [
    ...oneASecond(20),
    ...idsUpTo(count).map((id) => ({
      id: 100 + id,
      lt: 50_000,
      utime: START_UTIME + 50,
      account: 1,
    })),
    ...oneASecond(20).map((row) => ({
      ...row,
      id: row.id + 5000,
      lt: 100_000 + row.id,
      utime: START_UTIME + 60 + row.id,
    })),
  ]
  const head = { seqno: 1, utime: START_UTIME + 100 }

  it.each(NAMES)('are read in a larger page of %s, in any order', async (name) => {
    const random = createRandom(1)
    const rows = together(300)
    const { server, v3, clock } = await serveWatch({ rows: { [TIMED[name]]: rows }, head })
    shuffleTies(server.table(TIMED[name]), random)
    const expected = sorted(rows.map(({ id }) => id))
    expect(sorted(await collect(paginate(v3, name, {}, { pageSize: 10 })))).toEqual(expected)
    const asc = await collect(paginate(v3, name, { sort: 'asc' }, { pageSize: 10 }))
    expect(sorted(asc)).toEqual(expected)
    const running = run(watch(v3, name, {}, { from, pageSize: 10 }), clock)
    await running.rest()
    expect(sorted(running.ids)).toEqual(expected)
  })

  it.each([
    ['1000 of them', { maxLimit: 1000 }, 1500],
    ['100 of them, where the server refuses more', { maxLimit: 100 }, 150],
    ['as many as the server answers', { mostRows: () => 50 }, 150],
  ])('are an error beyond %s', async (_, options, count) => {
    const rows = { '/jetton/transfers': together(count) }
    const { v3, clock } = await serveWatch({ rows, head, ...options })
    const walk = paginate(v3, 'jettonTransfers', { sort: 'asc' })
    const isTold = expect.objectContaining({ message: expect.stringContaining('transaction_lt') })
    await expect(collect(walk)).rejects.toEqual(isTold)
    const running = run(watch(v3, 'jettonTransfers', {}, { from }), clock)
    await expect(running.ended).rejects.toThrow(ResponseShapeError)
    await expect(running.ended).rejects.toThrow('transaction_now')
  })
})

/** Lists rows with one key in another order each time. */
function shuffleTies(
  table: { query: (query: never) => { rows: IndexRow[]; work: number } },
  random: () => number,
): void {
  const { query } = table
  table.query = (one: never) => {
    const { offset, limit, axis } = one as { offset: number; limit: number; axis: 'lt' | 'utime' }
    const all = query.call(table, { ...(one as object), offset: 0, limit: 100_000 } as never)
    const keyed = all.rows.map((row) => ({ row, tie: random() }))
    const isAscending = (one as { isAscending: boolean }).isAscending
    const sortedRows = keyed.toSorted((left, right) => {
      const byKey = (left.row[axis] ?? 0) - (right.row[axis] ?? 0)
      return (isAscending ? byKey : -byKey) || left.tie - right.tie
    })
    return { rows: sortedRows.slice(offset, offset + limit).map(({ row }) => row), work: all.work }
  }
}

describe('two servers with the second one behind', () => {
  const rows = { [path]: oneASecond(100) }
  const behind = { [path]: oneASecond(60) }

  it('are not mixed within a poll: the head is requested again', async () => {
    const clock = createFakeClock()
    let isDown = false
    const first = await serve({
      rows,
      head: { seqno: 100, utime: START_UTIME + 100 },
      fault: ({ path: at }) => (isDown && at === path ? 'unavailable' : undefined),
    })
    const second = await serve({ rows: behind, head: { seqno: 60, utime: START_UTIME + 60 } })
    const baseUrl = [first.server.baseUrl, second.server.baseUrl]
    const v3 = createV3Client({ baseUrl, rps: Infinity, clock, random: () => 0 })
    const options = { pollMs: POLL_MS, from, overlapSeconds: 10 }
    const running = run(v3.transactions.watch({}, options), clock)
    isDown = true
    await running.rest()
    expect(running.ids).toEqual(idsUpTo(60))
    isDown = false
    for (let poll = 0; poll < 8; poll++) await running.poll()
    expect(running.ids).toEqual(idsUpTo(100))
  })

  it('do not end an iteration early', async () => {
    let asked = 0
    const first = await serve({
      rows,
      fault: () => (++asked > 3 ? 'unavailable' : undefined),
    })
    const second = await serve({ rows: behind })
    const baseUrl = [first.server.baseUrl, second.server.baseUrl]
    const v3 = createV3Client({ baseUrl, rps: Infinity, random: () => 0 })
    const walk = v3.transactions.paginate({ sort: 'asc' }, { pageSize: 10 })
    const ids: number[] = []
    const loop = async (of: AsyncIterable<object>): Promise<void> => {
      for await (const row of of) ids.push(...(await collect([row] as never)))
    }
    await expect(loop(walk)).rejects.toMatchObject({ code: 'ERR_TONPLUG_SERVER' })
    expect(ids).toEqual(idsUpTo(60))
    const whole = createV3Client({ baseUrl: (await serve({ rows })).server.baseUrl, rps: Infinity })
    await loop(whole.transactions.paginate({ sort: 'asc' }, { cursor: stored(walk) }))
    expect(ids).toEqual(idsUpTo(100))
  })
})

describe('an unreadable row', () => {
  const rows = oneASecond(30).map((row) => ({ ...row, isBroken: row.id === 12 || row.id === 20 }))
  const head = { seqno: 1, utime: START_UTIME + 40 }

  it('ends the subscription with an error that names it, and with the cursor after it', async () => {
    const { server, v3, clock } = await serveWatch({ rows: { [path]: rows }, head })
    const options = { pollMs: POLL_MS, from, pageSize: 10 }
    const current = v3.transactions.watch({}, options)
    const ids: number[] = []
    const first = run(current, clock)
    const error = await first.ended.catch((thrown: unknown) => thrown)
    ids.push(...first.ids)
    expect(error).toBeInstanceOf(UnreadableRowError)
    expect(error).toMatchObject({
      code: 'ERR_TONPLUG_UNREADABLE_ROW',
      details: { row: hashOf(12), path: expect.stringContaining('total_fees') },
    })
    // The follow's own cursor stands before the row.
    const same = run(v3.transactions.watch({}, { ...options, cursor: stored(current) }), clock)
    await expect(same.ended).rejects.toThrow(hashOf(12))
    ids.push(...same.ids)
    const { cursor } = error as UnreadableRowError
    const next = run(v3.transactions.watch({}, { ...options, cursor }), clock)
    const second = (await next.ended.catch((thrown: unknown) => thrown)) as UnreadableRowError
    ids.push(...next.ids)
    expect(second.details.row).toBe(hashOf(20))
    const last = run(v3.transactions.watch({}, { ...options, cursor: second.cursor }), clock)
    await last.rest()
    server.table(path).insert({ id: 31, lt: 31_000, utime: START_UTIME + 40, account: 1 })
    await last.poll()
    ids.push(...last.ids)
    expect(ids).toEqual(idsUpTo(31).filter((id) => id !== 12 && id !== 20))
  })

  it('ends a subscription to blocks in the same way', async () => {
    const blocks = oneASecond(5).map((row) => ({ ...row, mc: row.id, isBroken: row.id === 3 }))
    const options = { rows: { [path]: blocks }, head: { seqno: 5, utime: START_UTIME } }
    const { v3 } = await serveWatch(options)
    const start = v3.transactionsByMasterchainBlock.watch
    const seqnos: number[] = []
    const loop = async (current: ReturnType<typeof start>): Promise<void> => {
      for await (const { seqno } of current) {
        seqnos.push(seqno)
        if (seqno === 5) break
      }
    }
    const error = await loop(start({ seqno: 1 })).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(UnreadableRowError)
    expect((error as Error).message).toContain('block 3')
    await loop(start({}, { cursor: (error as UnreadableRowError).cursor }))
    expect(seqnos).toEqual([1, 2, 4, 5])
  })
})

describe('leaving a loop that waits', () => {
  const head = { seqno: 1, utime: START_UTIME + 100 }

  it.each([
    ['a follow', (v3: ReturnType<typeof createV3Client>) => v3.transactions.watch({}, { from })],
    [
      'the pages of a follow',
      (v3: ReturnType<typeof createV3Client>) => v3.transactions.watch({}, { from }).pages(),
    ],
    [
      'a follow of blocks',
      (v3: ReturnType<typeof createV3Client>) => v3.transactionsByMasterchainBlock.watch(),
    ],
  ])('ends the wait of %s at once', async (_, start) => {
    const { v3, clock } = await serveWatch({ head })
    const loop = start(v3)[Symbol.asyncIterator]()
    const isResting = ({ delayMs }: { delayMs: number }) => delayMs === 5000 || delayMs === 1000
    // What is there, until the loop waits for more.
    const waiting = (async () => {
      for (let one = await loop.next(); one.done !== true;) one = await loop.next()
    })()
    await clock.waitForTimer(isResting)
    expect(await loop.return?.()).toEqual({ done: true, value: undefined })
    await waiting
    expect(clock.pendingTimers()).toEqual([])
    expect(await loop.next()).toEqual({ done: true, value: undefined })
  })

  it.each([
    ['a follow', (v3: ReturnType<typeof createV3Client>) => v3.transactions.watch({}, { from })],
    ['a walk', (v3: ReturnType<typeof createV3Client>) => v3.transactions.paginate()],
  ])('ends the request of %s at once', async (_, start) => {
    const { server, v3, clock } = await serveWatch({
      head,
      beforeResponse: async () => new Promise(() => undefined),
    })
    const loop = start(v3)[Symbol.asyncIterator]()
    const waiting = loop.next()
    await expect.poll(() => server.requests.length).toBe(1)
    await loop.return?.()
    expect(await waiting).toEqual({ done: true, value: undefined })
    await expect.poll(() => server.requests[0]?.isAborted).toBe(true)
    expect(clock.pendingTimers()).toEqual([])
  })
})

describe('unknown names', () => {
  it.each(TIMED_NAMES)('are rejected by %s.watch with the nearest one', async (name) => {
    const { server, v3 } = await serve({})
    const start = (params: object, options: object) => () => watch(v3, name, params, options)
    expect(start({ acount: 'EQ' }, {})).toThrow(InvalidParamsError)
    expect(start({ zzzzzzzzzzzzzz: 1 }, {})).toThrow('it takes')
    expect(start({ sort: 'asc' }, {})).toThrow('sort is not a parameter of a watch')
    expect(start({ sorts: 'asc' }, {})).not.toThrow('did you mean sort')
    expect(start({}, { pollms: 5 })).toThrow('did you mean pollMs?')
    expect(start({}, { overlapSecond: 5 })).toThrow('did you mean overlapSeconds?')
    expect(server.requests).toHaveLength(0)
  })

  it('are rejected by every iteration, by the subscription to blocks and by every call', async () => {
    const { server, v3 } = await serve({})
    for (const name of [...TIMED_NAMES, ...(Object.keys(DIRECTORIES) as ListName[])]) {
      const wrong = { pagesize: 5 } as object
      expect(() => paginate(v3, name, {}, wrong)).toThrow('did you mean pageSize?')
      await expect(collect(paginate(v3, name, { limitt: 5 }))).rejects.toThrow('limitt')
    }
    const blocks = v3.transactionsByMasterchainBlock.watch
    expect(() => blocks({ seqn: 5 } as never)).toThrow('did you mean seqno?')
    expect(() => blocks({}, { prefetsh: 5 } as never)).toThrow('did you mean prefetch?')
    const call = v3.transactions({}, { timeoutms: 5 } as never)
    await expect(call).rejects.toThrow('did you mean timeoutMs?')
    expect(server.requests).toHaveLength(0)
  })

  it('are rejected where an object is missing', async () => {
    const { v3 } = await serve({})
    const none = null as never
    expect(() => v3.transactions.watch(none)).toThrow(InvalidParamsError)
    expect(() => v3.transactions.watch({}, none)).toThrow(ConfigurationError)
    expect(() => v3.transactions.paginate({}, none)).toThrow(ConfigurationError)
    expect(() => v3.transactionsByMasterchainBlock.watch(none)).toThrow(InvalidParamsError)
    expect(() => v3.transactionsByMasterchainBlock.watch({}, none)).toThrow(ConfigurationError)
    await expect(v3.transactions({}, none)).rejects.toThrow(ConfigurationError)
  })
})

describe('a call without arguments', () => {
  it.each(TIMED_NAMES)('begins %s.watch now, and makes %s.paginate deliver all', async (name) => {
    const list = TIMED[name]
    const head = { seqno: 1, utime: START_UTIME + 5 }
    const { server, v3, clock } = await serveWatch({ rows: { [list]: oneASecond(4) }, head })
    const start = v3[name].watch as unknown as () => ReturnType<typeof watch>
    const running = run(start(), clock)
    await running.rest()
    expect(running.ids).toEqual([])
    server.table(list).insert({ id: 5, lt: 5000, utime: START_UTIME + 5, account: 1 })
    await running.poll()
    expect(running.ids).toEqual([5])
    const walk = v3[name].paginate as unknown as () => AsyncIterable<object>
    expect(sorted(await collect(walk()))).toEqual(idsUpTo(5))
  })

  it('names the missing parameter of an iteration', async () => {
    const { v3 } = await serve({})
    const walk = v3.transactionsByMasterchainBlock
      .paginate as unknown as () => AsyncIterable<object>
    await expect(collect(walk())).rejects.toThrow('seqno')
  })
})

describe('messages.watch', () => {
  it('rejects external messages, and names an alternative', async () => {
    const { server, v3 } = await serve({})
    expect(() => v3.messages.watch({ source: 'null' })).toThrow(
      'external messages have no time; watch the transactions',
    )
    expect(() => v3.messages.watch({ only_externals: true } as never)).toThrow('external messages')
    expect(server.requests).toHaveLength(0)
  })

  it('excludes external messages in every request', async () => {
    const head = { seqno: 1, utime: START_UTIME + 5 }
    const { server, v3, clock } = await serveWatch({ rows: { '/messages': oneASecond(4) }, head })
    await run(v3.messages.watch({}, { from, pollMs: POLL_MS }), clock).rest()
    const asked = server.requests.filter(({ path: at }) => at === '/messages')
    expect(asked.every(({ query }) => query.get('exclude_externals') === 'true')).toBe(true)
  })
})

describe('messages.paginate', () => {
  it.each(['asc', 'desc'] as const)(
    'delivers messages without an lt in the order of the index, %s',
    async (sort) => {
      // An index may list them by the lt of the transaction that received them.
      const { server, v3 } = await serve({ rows: { '/messages': oneASecond(40) } })
      const table = server.table('/messages')
      const { query } = table
      table.query = (one) => {
        const page = query.call(table, one)
        const isBare = ({ id }: IndexRow): boolean => id % 4 < 2
        const bare = { lt: null, utime: null }
        return { ...page, rows: page.rows.map((row) => (isBare(row) ? { ...row, ...bare } : row)) }
      }
      const walk = v3.messages.paginate({ sort, start_lt: 1n }, { pageSize: 7 })
      const ids = await collect(walk)
      expect(ids).toEqual(sort === 'asc' ? idsUpTo(40) : idsUpTo(40).reverse())
    },
  )
})

describe('a cursor', () => {
  const one = addressOf(1)
  const head = { seqno: 1, utime: START_UTIME + 100 }

  it('is rejected with other parameters than its own', async () => {
    const { server, v3, clock } = await serveWatch({ rows: { [path]: oneASecond(30) }, head })
    const walk = v3.transactions.paginate({ account: one }, { pageSize: 10 })
    await collect(walk)
    const current = v3.transactions.watch({ account: one }, { from })
    const blocks = v3.transactionsByMasterchainBlock.watch({ seqno: 5 })
    await run(current, clock).rest()
    server.requests.length = 0
    const others = [{}, { account: addressOf(2) }, { account: [one, addressOf(2)] }]
    for (const params of others) {
      const problem = 'cursor was made with other parameters'
      const again = () => v3.transactions.paginate(params, { cursor: stored(walk) })
      expect(again).toThrow(InvalidParamsError)
      expect(again).toThrow(problem)
      expect(() => v3.transactions.watch(params, { cursor: stored(current) })).toThrow(problem)
    }
    expect(() =>
      v3.transactions.paginate({ account: one, sort: 'asc' }, { cursor: stored(walk) }),
    ).toThrow('other parameters')
    expect(() => blocks.cursor()).not.toThrow()
    expect(server.requests).toHaveLength(0)
  })

  it('is accepted with another form of the same address', async () => {
    const { v3 } = await serve({})
    const account = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'
    const raw = '0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8'
    const begun = v3.transactions.watch({ account: [account, one] }, { from })
    const cursor = stored(begun)
    expect(cursor.position).toEqual({ from, seen: [] })
    expect(() =>
      v3.transactions.watch({ account: [one, raw, one], exclude_account: undefined }, { cursor }),
    ).not.toThrow()
    const { filter: _, ...older } = cursor
    expect(() => v3.transactions.watch({}, { cursor: older })).not.toThrow()
  })
})

describe('a page that ends within known rows', () => {
  it('is passed when a server never returns more rows', async () => {
    const rows = idsUpTo(95).map((id) => ({ id, lt: 5000, utime: START_UTIME, account: id }))
    const { v3, clock } = await serveWatch({
      rows: { [path]: rows },
      head: { seqno: 1, utime: START_UTIME + 5 },
      mostRows: () => 30,
    })
    for (const sort of ['asc', 'desc'] as const) {
      expect(sorted(await collect(v3.transactions.paginate({ sort })))).toEqual(idsUpTo(95))
    }
    const errors: TonplugError[] = []
    const onError = (error: TonplugError) => void errors.push(error)
    const running = run(v3.transactions.watch({}, { from, pollMs: POLL_MS, onError }), clock)
    await running.rest()
    expect(sorted(running.ids)).toEqual(idsUpTo(95))
    expect(errors).toEqual([])
  })
})

describe('listed rows', () => {
  it('are not skipped when the client restarts within one second', async () => {
    const rows = { [path]: rowsUpTo(60) }
    const head = { seqno: 1, utime: START_UTIME + 100 }
    const { v3 } = await serve({ rows, head })
    const ids: number[] = []
    let cursor = stored(v3.transactions.watch({}, { from }))
    while (ids.length < 60) {
      const current = v3.transactions.watch({}, { cursor, pageSize: 4 })
      for await (const row of current) {
        ids.push(...(await collect([row] as never)))
        cursor = stored(current)
        break
      }
    }
    expect(sorted(ids)).toEqual(idsUpTo(60))
  })
})
