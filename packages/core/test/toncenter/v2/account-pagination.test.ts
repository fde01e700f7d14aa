import { describe, expect, it } from 'vitest'
import type { Cursor } from '../../../src/toncenter/paging/cursor.js'
import { ADDRESS, hashOf, ltOf, numberOf } from './mock-history.js'
import { collect, down, limits, serve } from './pagination.js'

describe.each(['getTransactions', 'getTransactionsStd'] as const)('%s.paginate', (method) => {
  it('delivers every transaction of a growing history once, newest first', async () => {
    const { server, v2 } = await serve({ size: 100, growth: 3 })
    const walk = v2[method].paginate({ address: ADDRESS }, { pageSize: 10 })
    expect(await collect(walk)).toEqual(down(103, 1))
    // 10 on the first page, 9 new ones on each that follows; nothing is asked for beyond the first transaction.
    expect(limits(server.requests)).toEqual(Array.from({ length: 12 }, () => 10))
    expect(server.requests.every(({ rows }) => rows <= 10)).toBe(true)
  })

  it('delivers pages, none of them empty', async () => {
    const { v2 } = await serve({ size: 25 })
    const sizes: number[] = []
    for await (const page of v2[method].paginate({ address: ADDRESS }, { pageSize: 10 }).pages()) {
      sizes.push(page.length)
    }
    expect(sizes).toEqual([10, 9, 6])
  })

  it.each([
    ['the bound is a transaction', ltOf(40), 41],
    ['the bound lies between two', ltOf(40) + 1n, 41],
    ['the bound is just below one', ltOf(40) - 1n, 40],
    ['decimal digits', ltOf(91).toString(), 92],
    ['the bound is the newest', ltOf(100), 101],
  ])('stops above to_lt: %s', async (_, to_lt, oldest) => {
    const { v2 } = await serve({ size: 100 })
    const walk = v2[method].paginate({ address: ADDRESS, to_lt }, { pageSize: 10 })
    expect(await collect(walk)).toEqual(down(100, oldest))
  })

  it('omits the bound itself when the server does not', async () => {
    const { v2 } = await serve({ size: 100, isBoundIncluded: true })
    const walk = v2[method].paginate({ address: ADDRESS, to_lt: ltOf(40) }, { pageSize: 10 })
    expect(await collect(walk)).toEqual(down(100, 41))
  })

  it('requests no page below to_lt', async () => {
    const { server, v2 } = await serve({ size: 100 })
    await collect(v2[method].paginate({ address: ADDRESS, to_lt: ltOf(90) }, { pageSize: 10 }))
    expect(server.requests).toHaveLength(1)
  })

  it('starts with the transaction of lt and hash', async () => {
    const { v2 } = await serve({ size: 100 })
    const from = { address: ADDRESS, lt: ltOf(30), hash: hashOf(30) }
    expect(await collect(v2[method].paginate(from, { pageSize: 10 }))).toEqual(down(30, 1))
  })

  it('resumes after a crash at any item, from the stored cursor, without repeats or gaps', async () => {
    for (let crash = 1; crash <= 24; crash++) {
      const { v2 } = await serve({ size: 23, growth: 1 })
      const walk = v2[method].paginate(
        { address: ADDRESS },
        { pageSize: 7, prefetch: crash % 2 === 0 },
      )
      const before: number[] = []
      let stored = JSON.stringify(walk.cursor())
      for await (const row of walk) {
        before.push(numberOf(row))
        stored = JSON.stringify(walk.cursor())
        if (before.length === crash) break
      }
      const cursor = JSON.parse(stored) as Cursor
      const after = await collect(
        v2[method].paginate({ address: ADDRESS }, { pageSize: 5, cursor }),
      )
      expect([...before, ...after]).toEqual(down(24, 1))
    }
  })

  it('resumes after a crash at any page', async () => {
    const { v2 } = await serve({ size: 23 })
    for (const crash of [1, 2, 3, 4]) {
      const walk = v2[method].paginate({ address: ADDRESS }, { pageSize: 7 })
      const before: number[] = []
      let pages = 0
      for await (const page of walk.pages()) {
        before.push(...page.map(numberOf))
        if (++pages === crash) break
      }
      const cursor = JSON.parse(JSON.stringify(walk.cursor())) as Cursor
      const after = await collect(v2[method].paginate({ address: ADDRESS }, { cursor }))
      expect([...before, ...after]).toEqual(down(23, 1))
    }
  })

  it('delivers and requests nothing from the cursor of a completed iteration', async () => {
    const { server, v2 } = await serve({ size: 23 })
    const walk = v2[method].paginate({ address: ADDRESS }, { pageSize: 10 })
    await collect(walk)
    expect(walk.cursor().isDone).toBe(true)
    const requests = server.requests.length
    expect(
      await collect(v2[method].paginate({ address: ADDRESS }, { cursor: walk.cursor() })),
    ).toEqual([])
    expect(await collect(walk)).toEqual([])
    expect(server.requests).toHaveLength(requests)
  })

  it('resumes in a second loop where the first one stopped', async () => {
    const { v2 } = await serve({ size: 30 })
    const walk = v2[method].paginate({ address: ADDRESS }, { pageSize: 7 })
    const before: number[] = []
    for await (const row of walk) if (before.push(numberOf(row)) === 10) break
    expect([...before, ...(await collect(walk))]).toEqual(down(30, 1))
  })

  it('continues when the server returns fewer rows than requested', async () => {
    const { v2 } = await serve({ size: 50, cap: 4 })
    expect(await collect(v2[method].paginate({ address: ADDRESS }))).toEqual(down(50, 1))
  })

  it('stops above to_lt when the transactions are unreadable', async () => {
    const { v2 } = await serve({ size: 50, cap: 4, hasData: false })
    const walk = v2[method].paginate({ address: ADDRESS, to_lt: ltOf(20) }, { pageSize: 10 })
    expect(await collect(walk)).toEqual(down(50, 21))
  })

  it('does not treat a short page as the last when the transactions are unreadable', async () => {
    const { v2 } = await serve({ size: 25, cap: 4, hasData: false })
    const walk = v2[method].paginate({ address: ADDRESS }, { pageSize: 10 })
    expect(await collect(walk)).toEqual(down(25, 1))
    expect(walk.cursor().isDone).toBe(true)
  })

  it('does not treat an empty page as an unused account when its state has a transaction', async () => {
    const { server, v2 } = await serve({ size: 25, emptyPages: 1 })
    const walk = v2[method].paginate({ address: ADDRESS }, { pageSize: 25 })
    expect(await collect(walk)).toEqual(down(25, 1))
    expect(
      server.requests.map(({ path, query }) => [path.split('/').at(-1), query['archival']]),
    ).toEqual([
      [method, undefined],
      ['getAddressInformation', undefined],
      [method, 'true'],
    ])
  })

  it('reports missing history when an account has some and no node has it', async () => {
    const { v2 } = await serve({ size: 25, emptyPages: 2 })
    const walk = v2[method].paginate({ address: ADDRESS })
    await expect(collect(walk)).rejects.toMatchObject({ code: 'ERR_TONPLUG_HISTORY_NOT_AVAILABLE' })
    expect(walk.cursor().isDone).toBe(false)
  })
})

describe('unreadable transactions', () => {
  it('are requested once more after a short page of getTransactions', async () => {
    const { server, v2 } = await serve({ size: 25, hasData: false })
    const walk = v2.getTransactions.paginate({ address: ADDRESS }, { pageSize: 10 })
    expect(await collect(walk)).toEqual(down(25, 1))
    expect(server.requests.map(({ rows }) => rows)).toEqual([10, 10, 7, 1])
  })

  it('are marked as the last ones by getTransactionsStd', async () => {
    const { server, v2 } = await serve({ size: 25, hasData: false })
    const walk = v2.getTransactionsStd.paginate({ address: ADDRESS }, { pageSize: 10 })
    expect(await collect(walk)).toEqual(down(25, 1))
    expect(server.requests.map(({ rows }) => rows)).toEqual([10, 10, 7])
  })
})

describe('page size', () => {
  it('is lowered to 100 once, when the server accepts no more, and stays so for the client', async () => {
    const { server, v2 } = await serve({ size: 450, maxLimit: 100 })
    const params = { address: ADDRESS }
    expect(await collect(v2.getTransactions.paginate(params, { pageSize: 1000 }))).toEqual(
      down(450, 1),
    )
    expect(limits(server.requests)).toEqual([1000, 100, 100, 100, 100, 100])
    server.requests.length = 0
    await collect(v2.getTransactions.paginate(params, { pageSize: 500 }))
    expect(limits(server.requests)).toEqual([100, 100, 100, 100, 100])
  })

  it('is lowered in an iteration whose refusal arrives after that of another one', async () => {
    let release = (): void => undefined
    const beforeResponse = async ({ query }: { query: Record<string, string> }) => {
      if (query['limit'] === '500') await new Promise<void>((resolve) => (release = resolve))
    }
    const { server, v2 } = await serve({ size: 150, maxLimit: 100, beforeResponse })
    const params = { address: ADDRESS }
    const late = collect(v2.getTransactions.paginate(params, { pageSize: 500 }))
    await expect.poll(() => server.requests.length).toBe(1)
    await collect(v2.getTransactions.paginate(params, { pageSize: 1000 }))
    release()
    expect(await late).toEqual(down(150, 1))
  })

  it('stays when the server accepts it', async () => {
    const { server, v2 } = await serve({ size: 2500 })
    await collect(v2.getTransactions.paginate({ address: ADDRESS }, { pageSize: 1000 }))
    expect(limits(server.requests)).toEqual([1000, 1000, 1000])
  })

  it('is not lowered when the server rejects another parameter', async () => {
    const { server, v2 } = await serve({ size: 450, refusal: 'address should be of an account' })
    const walk = v2.getTransactions.paginate({ address: ADDRESS }, { pageSize: 1000 })
    await expect(collect(walk)).rejects.toMatchObject({ code: 'ERR_TONPLUG_VALIDATION' })
    expect(limits(server.requests)).toEqual([1000])
  })

  it('is not remembered when a smaller page is rejected too', async () => {
    const { server, v2 } = await serve({ size: 450, maxLimit: 0 })
    const walk = v2.getTransactions.paginate({ address: ADDRESS }, { pageSize: 1000 })
    await expect(collect(walk)).rejects.toMatchObject({ code: 'ERR_TONPLUG_VALIDATION' })
    expect(limits(server.requests)).toEqual([1000, 100])
    server.requests.length = 0
    await expect(
      collect(v2.getTransactions.paginate({ address: ADDRESS }, { pageSize: 1000 })),
    ).rejects.toMatchObject({ code: 'ERR_TONPLUG_VALIDATION' })
    expect(limits(server.requests)).toEqual([1000, 100])
  })
})
