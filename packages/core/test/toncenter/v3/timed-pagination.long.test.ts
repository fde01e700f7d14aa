import { describe, expect, it } from 'vitest'
import { ResponseShapeError } from '../../../src/toncenter/errors/api.js'
import type { TimedListName } from '../../../src/toncenter/v3/paging/timed-lists.js'
import { addressOf, type IndexRow } from './index-rows.js'
import {
  collect,
  idsUpTo,
  paginate,
  ltOf,
  rowOf,
  rowsUpTo,
  serve,
  sorted,
  START_UTIME,
  stored,
  TIMED,
  utimeOf,
} from './pagination.js'

const NAMES = Object.entries(TIMED) as [TimedListName, string][]
const externalsAside = { exclude_externals: true }
const paramsOf = (name: string): object => (name === 'messages' ? externalsAside : {})

describe.each(NAMES)('%s.paginate', (name, path) => {
  it.each([
    ['desc', {}],
    ['asc', {}],
    ['desc', { end_utime: START_UTIME + 1000 }],
    ['asc', { start_utime: START_UTIME }],
    ['asc', { start_utime: START_UTIME, end_utime: START_UTIME + 1000 }],
  ] as const)('delivers each row of a growing list once, %s, %o', async (sort, bounds) => {
    let newest = 60
    const { server, v3 } = await serve({
      rows: { [path]: rowsUpTo(60) },
      beforeResponse: () => server.table(path).insert(rowOf(++newest)),
    })
    const walk = paginate(v3, name, { ...paramsOf(name), ...bounds, sort }, { pageSize: 10 })
    const ids = await collect(walk)
    expect(new Set(ids).size).toBe(ids.length)
    // What arrived before the first answer is part of it.
    expect(sorted(ids).slice(0, 60)).toEqual(idsUpTo(60))
    // Newest first, nothing more; oldest first, up to the second or the lt that was the last one.
    expect(Math.max(...ids)).toBeLessThanOrEqual(sort === 'desc' ? 61 : 70)
    const keys = ids.map('start_utime' in bounds || 'end_utime' in bounds ? utimeOf : ltOf)
    expect(keys).toEqual(sort === 'asc' ? sorted(keys) : sorted(keys).reverse())
  })

  it('ends at the end of the list at its start, oldest first', async () => {
    let newest = 60
    const { server, v3 } = await serve({
      rows: { [path]: rowsUpTo(60) },
      beforeResponse: () => {
        const added = Array.from({ length: 20 }, () => rowOf(++newest))
        server.table(path).insert(...added)
      },
    })
    const ids = await collect(
      paginate(v3, name, { ...paramsOf(name), sort: 'asc' }, { pageSize: 10 }),
    )
    expect(ids.length).toBeLessThan(100)
    expect(sorted(ids)).toEqual(idsUpTo(ids.length))
  })

  it.each(['desc', 'asc'])(
    'resumes after a crash at any item, without repeats or gaps, %s',
    async (sort) => {
      const { server, v3 } = await serve({ rows: { [path]: rowsUpTo(24) } })
      const params = { ...paramsOf(name), sort }
      for (let crash = 1; crash <= 24; crash += 2) {
        const walk = paginate(v3, name, params, { pageSize: 6, prefetch: crash % 4 === 1 })
        const before: number[] = []
        let cursor = stored(walk)
        for await (const row of walk) {
          before.push(...(await collect([row] as never)))
          cursor = stored(walk)
          if (before.length === crash) break
        }
        server.table(path).insert(rowOf(100 + crash))
        const after = await collect(paginate(v3, name, params, { pageSize: 5, cursor }))
        expect(sorted([...before, ...after]).slice(0, 24)).toEqual(idsUpTo(24))
        expect(new Set([...before, ...after]).size).toBe(before.length + after.length)
        server.table(path).remove(100 + crash)
      }
    },
  )

  it('continues within one lt that fills several pages', async () => {
    const rows = idsUpTo(95).map((id): IndexRow => ({ ...rowOf(id), lt: 5000, utime: START_UTIME }))
    const { server, v3 } = await serve({ rows: { [path]: rows } })
    for (const sort of ['desc', 'asc']) {
      server.requests.length = 0
      const ids = await collect(paginate(v3, name, { ...paramsOf(name), sort }, { pageSize: 10 }))
      expect(ids).toHaveLength(95)
      expect(sorted(ids)).toEqual(idsUpTo(95))
      expect(server.requests.length).toBeLessThan(30)
    }
  })

  it('continues after a page that is shorter than requested', async () => {
    const { server, v3 } = await serve({ rows: { [path]: rowsUpTo(50) } })
    const table = server.table(path)
    const { query } = table
    table.query = (one) => query.call(table, { ...one, limit: Math.min(one.limit, 15) })
    const ids = await collect(paginate(v3, name, paramsOf(name), { pageSize: 20 }))
    expect(sorted(ids)).toEqual(idsUpTo(50))
  })

  it('requests at most 100 rows after a larger limit was rejected', async () => {
    const { server, v3 } = await serve({ rows: { [path]: rowsUpTo(250) }, maxLimit: 500 })
    const ids = await collect(paginate(v3, name, paramsOf(name), { pageSize: 1000 }))
    expect(sorted(ids)).toEqual(idsUpTo(250))
    const limits = server.requests.map(({ query }) => query.get('limit'))
    expect(limits).toEqual(['1000', ...limits.slice(1).map(() => '100')])
  })

  it('always sends limit and sort', async () => {
    const { server, v3 } = await serve({ rows: { [path]: rowsUpTo(5) } })
    await collect(paginate(v3, name, paramsOf(name)))
    for (const { query } of server.requests) {
      expect([query.get('limit'), query.get('sort')]).toEqual(['100', 'desc'])
    }
  })

  it('delivers nothing of an empty list', async () => {
    const { v3 } = await serve({})
    for (const sort of ['desc', 'asc']) {
      const walk = paginate(v3, name, { ...paramsOf(name), sort })
      expect(await collect(walk)).toEqual([])
      expect(walk.cursor().isDone).toBe(true)
    }
  })
})

const MOVING = ['actions', 'events', 'traces']

describe('a page of known rows only', () => {
  const rows = idsUpTo(42).map((id): IndexRow => ({ ...rowOf(id), lt: 1000 * id, utime: id }))
  const inOrder = (sort: string): number[] => (sort === 'asc' ? idsUpTo(42) : idsUpTo(42).reverse())

  it.each(NAMES)('is not treated as the end of %s', async (name, path) => {
    for (const sort of ['desc', 'asc']) {
      let answers = 0
      const mostRows = (): number => (++answers === 3 ? 1 : 1000)
      const { v3 } = await serve({ rows: { [path]: rows }, mostRows })
      const walk = paginate(v3, name, { ...paramsOf(name), sort }, { pageSize: 10 })
      expect(await collect(walk)).toEqual(inOrder(sort))
    }
  })

  it.each(NAMES)('does not end %s when no response has more than one row', async (name, path) => {
    for (const sort of ['desc', 'asc']) {
      const { v3 } = await serve({ rows: { [path]: rows }, mostRows: () => 1 })
      const walk = paginate(v3, name, { ...paramsOf(name), sort }, { pageSize: 10 })
      expect(await collect(walk)).toEqual(inOrder(sort))
    }
  })

  it('costs one more request, only at the end', async () => {
    const { server, v3 } = await serve({ rows: { '/transactions': rows } })
    await collect(v3.transactions.paginate({}, { pageSize: 10 }))
    const asked = server.requests.map((one) => [one.rows, one.query.get('offset')])
    const pages = [10, 10, 10, 10, 6, 1].map((count) => [count, null])
    expect(asked).toEqual([...pages, [0, '1']])
  })

  it('ends the iteration with an error when offset is ignored', async () => {
    const { server, v3 } = await serve({
      rows: { '/transactions': rows },
      isOffsetIgnored: () => true,
    })
    const walk = collect(v3.transactions.paginate({}, { pageSize: 100 }))
    await expect(walk).rejects.toThrow('the page at its offset')
    expect(server.requests.length).toBeLessThan(5)
  })

  it('is the end, when a row of that lt arrives in the meantime', async () => {
    const tie: IndexRow = { id: 50, lt: 42_000, utime: 42, account: 1 }
    const { server, v3 } = await serve({
      rows: { '/transactions': rows },
      // It comes ahead of the known row.
      beforeResponse: ({ query }) => {
        if (query.get('offset') === '1') server.table('/transactions').insert(tie)
      },
    })
    expect(await collect(v3.transactions.paginate({ sort: 'asc' }))).toEqual(idsUpTo(42))
  })

  it.each(NAMES.filter(([name]) => MOVING.includes(name)))(
    'may be missing from %s: an empty page is requested again',
    async (name, path) => {
      let answers = 0
      const mostRows = (): number => (++answers === 3 ? 0 : 1000)
      const { v3 } = await serve({ rows: { [path]: rows }, mostRows })
      expect(await collect(paginate(v3, name, {}, { pageSize: 10 }))).toEqual(inOrder('desc'))
    },
  )
})

describe('a contradictory response', () => {
  const STEADY = NAMES.filter(([name]) => !MOVING.includes(name))

  it.each(STEADY)('reports an empty page of %s instead of ending', async (name, path) => {
    let answers = 0
    const { server, v3 } = await serve({ rows: { [path]: rowsUpTo(30) } })
    const table = server.table(path)
    const { query } = table
    table.query = (one) => (++answers === 2 ? { rows: [], work: 0 } : query.call(table, one))
    const walk = paginate(v3, name, paramsOf(name), { pageSize: 10 })
    const ids: number[] = []
    const loop = async (): Promise<void> => {
      for await (const row of walk) ids.push(...(await collect([row] as never)))
    }
    await expect(loop()).rejects.toMatchObject({ code: 'ERR_TONPLUG_SERVER' })
    expect(ids).toHaveLength(10)
    expect(sorted([...ids, ...(await collect(walk))])).toEqual(idsUpTo(30))
  })

  it.each(STEADY)('reports that %s lost its newest row', async (name, path) => {
    let answers = 0
    const mostRows = (): number => (++answers === 2 ? 0 : 1000)
    const { v3 } = await serve({ rows: { [path]: rowsUpTo(30) }, mostRows })
    const walk = paginate(v3, name, { ...paramsOf(name), sort: 'asc' })
    await expect(collect(walk)).rejects.toMatchObject({ code: 'ERR_TONPLUG_SERVER' })
    expect(sorted(await collect(walk))).toEqual(idsUpTo(30))
  })

  it.each(NAMES)('reports rows beyond the bound of %s', async (name, path) => {
    const { server, v3 } = await serve({ rows: { [path]: rowsUpTo(30) } })
    const table = server.table(path)
    const { query } = table
    table.query = (one) => query.call(table, { ...one, most: undefined, where: () => true })
    await expect(collect(paginate(v3, name, paramsOf(name), { pageSize: 10 }))).rejects.toThrow(
      ResponseShapeError,
    )
  })
})

describe('transactions.paginate', () => {
  const path = '/transactions'

  it('requests nothing older than the first transaction of an account', async () => {
    const rows = idsUpTo(25).map((id): IndexRow => ({ ...rowOf(id), lt: 1000 * id, account: 7 }))
    const { server, v3 } = await serve({ rows: { [path]: rows } })
    const ids = await collect(v3.transactions.paginate({ account: addressOf(7) }, { pageSize: 10 }))
    expect(ids).toEqual(idsUpTo(25).reverse())
    // 10, then 9 twice, since a page repeats the row that it begins with.
    expect(server.requests).toHaveLength(3)
  })

  it('omits excluded accounts, even when they fill whole pages', async () => {
    const rows = idsUpTo(100).map((id): IndexRow => ({
      ...rowOf(id),
      account: id > 80 || id < 20 ? 7 : id,
    }))
    const distinct = rows.map((row) => ({ ...row, lt: 1000 * row.id }))
    const { server, v3 } = await serve({ rows: { [path]: distinct } })
    const walk = v3.transactions.paginate({ exclude_account: addressOf(7) }, { pageSize: 10 })
    const sizes: number[] = []
    const ids: number[] = []
    for await (const page of walk.pages()) {
      sizes.push(page.length)
      ids.push(...(await collect(page as never)))
    }
    expect(sorted(ids)).toEqual(idsUpTo(80).slice(19))
    expect(sizes).not.toContain(0)
    expect(server.requests.every(({ query }) => !query.has('exclude_account'))).toBe(true)
  })

  it('iterates by lt through a masterchain block, whatever its times', async () => {
    const rows = rowsUpTo(60).map((row) => ({ ...row, mc: 5 }))
    const { v3 } = await serve({ rows: { [path]: [...rows, ...rowsUpTo(80).slice(60)] } })
    const params = { mc_seqno: 5, start_utime: START_UTIME }
    expect(sorted(await collect(v3.transactions.paginate(params, { pageSize: 10 })))).toEqual(
      idsUpTo(60),
    )
  })

  it('iterates by offset through the transactions of one lt', async () => {
    const rows = idsUpTo(45).map((id): IndexRow => ({ ...rowOf(id), lt: 5000 }))
    const { v3 } = await serve({ rows: { [path]: rows } })
    const ids = await collect(v3.transactions.paginate({ lt: 5000n }, { pageSize: 10 }))
    expect(ids).toEqual(idsUpTo(45))
  })

  it('rejects parameters that an iteration sets itself, and invalid ones, before anything is sent', async () => {
    const { server, v3 } = await serve({})
    const wrong = (params: object) => () => v3.transactions.paginate(params as never)
    expect(wrong({ offset: 5 })).toThrow('offset is not a parameter of paginate()')
    expect(wrong({ limit: 5 })).toThrow('limit is not a parameter of paginate()')
    await expect(collect(v3.transactions.paginate({ account: 'EQ' }))).rejects.toThrow('account')
    await expect(collect(v3.transactions.paginate({ exclude_account: 'EQ' }))).rejects.toThrow(
      'exclude_account',
    )
    expect(server.requests).toHaveLength(0)
  })

  it('reports a rejection that does not concern the page size', async () => {
    const { v3 } = await serve({ maxLimit: 0, rows: { [path]: rowsUpTo(5) } })
    await expect(collect(v3.transactions.paginate({}, { pageSize: 500 }))).rejects.toMatchObject({
      code: 'ERR_TONPLUG_VALIDATION',
    })
  })
})

describe('messages.paginate', () => {
  const path = '/messages'
  const externals = [201, 202, 203, 204, 205, 206, 207, 208, 209, 210, 211, 212, 213].map(
    (id): IndexRow => ({ id, lt: null, utime: null, account: 1 }),
  )
  const rows = [...rowsUpTo(40), ...externals]
  const outside = externals.map(({ id }) => id)

  it.each(['desc', 'asc'] as const)('delivers external messages too, %s', async (sort) => {
    let newest = 300
    const { server, v3 } = await serve({
      rows: { [path]: rows },
      beforeResponse: () => {
        server.table(path).insert({ id: newest++, lt: null, utime: null, account: 1 })
      },
    })
    const ids = await collect(v3.messages.paginate({ sort }, { pageSize: 5 }))
    expect(new Set(ids).size).toBe(ids.length)
    expect(sorted(ids.filter((id) => id < 300))).toEqual([...idsUpTo(40), ...outside])
    const isInside = ids.map((id) => id <= 40)
    const kinds = isInside.filter((one, index) => index === 0 || one !== isInside[index - 1])
    expect(kinds).toEqual(sort === 'desc' ? [false, true] : [true, false])
  })

  it.each([
    ['start_lt', { start_lt: 1n }, idsUpTo(40)],
    ['exclude_externals', { exclude_externals: true }, idsUpTo(40)],
    ['only_externals', { only_externals: true }, outside],
    ['a sender', { source: addressOf(99) }, idsUpTo(40)],
  ])('requests only possible messages: %s', async (_, params, expected) => {
    const { server, v3 } = await serve({ rows: { [path]: rows } })
    expect(sorted(await collect(v3.messages.paginate(params, { pageSize: 7 })))).toEqual(expected)
    const asksOutside = server.requests.some(({ query }) => query.get('only_externals') === 'true')
    expect(asksOutside).toBe('only_externals' in params)
  })

  it('resumes after a crash at any message, external or not', async () => {
    const { v3 } = await serve({ rows: { [path]: rows } })
    for (const sort of ['desc', 'asc'] as const) {
      for (let crash = 1; crash <= rows.length; crash += 3) {
        const walk = v3.messages.paginate({ sort }, { pageSize: 6 })
        const before: number[] = []
        for await (const row of walk) {
          before.push(...(await collect([row] as never)))
          if (before.length === crash) break
        }
        const cursor = stored(walk)
        const after = await collect(v3.messages.paginate({ sort }, { pageSize: 5, cursor }))
        expect(sorted([...before, ...after])).toEqual([...idsUpTo(40), ...outside])
      }
    }
  })
})
