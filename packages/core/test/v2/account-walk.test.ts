import { describe, expect, it } from 'vitest'
import { HistoryNotAvailableError, ValidationError } from '../../src/errors/api.js'
import type { Cursor } from '../../src/paging/cursor.js'
import { ADDRESS, hashOf, ltOf, numberOf } from './history-server.js'
import { collect, down, limits, serve } from './walks.js'

describe.each(['getTransactions', 'getTransactionsStd'] as const)('%s.iterate', (method) => {
  it('delivers every transaction of a growing history once, newest first', async () => {
    const { server, v2 } = await serve({ size: 100, growth: 3 })
    const walk = v2[method].iterate({ address: ADDRESS }, { pageSize: 10 })
    expect(await collect(walk)).toEqual(down(103, 1))
    // 10 on the first page, 9 new ones on each that follows; nothing is asked for beyond the first transaction.
    expect(limits(server.asked)).toEqual(Array.from({ length: 12 }, () => 10))
    expect(server.asked.every(({ rows }) => rows <= 10)).toBe(true)
  })

  it('delivers pages, none of them empty', async () => {
    const { v2 } = await serve({ size: 25 })
    const sizes: number[] = []
    for await (const page of v2[method].iterate({ address: ADDRESS }, { pageSize: 10 }).pages()) {
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
    const walk = v2[method].iterate({ address: ADDRESS, to_lt }, { pageSize: 10 })
    expect(await collect(walk)).toEqual(down(100, oldest))
  })

  it('leaves out the bound itself when the server does not', async () => {
    const { v2 } = await serve({ size: 100, isBoundIncluded: true })
    const walk = v2[method].iterate({ address: ADDRESS, to_lt: ltOf(40) }, { pageSize: 10 })
    expect(await collect(walk)).toEqual(down(100, 41))
  })

  it('asks for no page below to_lt', async () => {
    const { server, v2 } = await serve({ size: 100 })
    await collect(v2[method].iterate({ address: ADDRESS, to_lt: ltOf(90) }, { pageSize: 10 }))
    expect(server.asked).toHaveLength(1)
  })

  it('starts with the transaction of lt and hash', async () => {
    const { v2 } = await serve({ size: 100 })
    const from = { address: ADDRESS, lt: ltOf(30), hash: hashOf(30) }
    expect(await collect(v2[method].iterate(from, { pageSize: 10 }))).toEqual(down(30, 1))
  })

  it('goes on after a crash at any item, from the stored cursor, with nothing twice and nothing left out', async () => {
    for (let crash = 1; crash <= 24; crash++) {
      const { v2 } = await serve({ size: 23, growth: 1 })
      const walk = v2[method].iterate(
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
      const after = await collect(v2[method].iterate({ address: ADDRESS }, { pageSize: 5, cursor }))
      expect([...before, ...after]).toEqual(down(24, 1))
    }
  })

  it('goes on after a crash at any page', async () => {
    const { v2 } = await serve({ size: 23 })
    for (const crash of [1, 2, 3, 4]) {
      const walk = v2[method].iterate({ address: ADDRESS }, { pageSize: 7 })
      const before: number[] = []
      let pages = 0
      for await (const page of walk.pages()) {
        before.push(...page.map(numberOf))
        if (++pages === crash) break
      }
      const cursor = JSON.parse(JSON.stringify(walk.cursor())) as Cursor
      const after = await collect(v2[method].iterate({ address: ADDRESS }, { cursor }))
      expect([...before, ...after]).toEqual(down(23, 1))
    }
  })

  it('delivers nothing, and asks for nothing, from the cursor of a walk that has ended', async () => {
    const { server, v2 } = await serve({ size: 23 })
    const walk = v2[method].iterate({ address: ADDRESS }, { pageSize: 10 })
    await collect(walk)
    expect(walk.cursor().isDone).toBe(true)
    const requests = server.asked.length
    expect(
      await collect(v2[method].iterate({ address: ADDRESS }, { cursor: walk.cursor() })),
    ).toEqual([])
    expect(await collect(walk)).toEqual([])
    expect(server.asked).toHaveLength(requests)
  })

  it('goes on in a second loop where the first one was left', async () => {
    const { v2 } = await serve({ size: 30 })
    const walk = v2[method].iterate({ address: ADDRESS }, { pageSize: 7 })
    const before: number[] = []
    for await (const row of walk) if (before.push(numberOf(row)) === 10) break
    expect([...before, ...(await collect(walk))]).toEqual(down(30, 1))
  })

  it('goes on when the server answers fewer rows than it was asked for', async () => {
    const { v2 } = await serve({ size: 50, cap: 4 })
    expect(await collect(v2[method].iterate({ address: ADDRESS }))).toEqual(down(50, 1))
  })

  it('stops above to_lt when the transactions cannot be read', async () => {
    const { v2 } = await serve({ size: 50, cap: 4, hasData: false })
    const walk = v2[method].iterate({ address: ADDRESS, to_lt: ltOf(20) }, { pageSize: 10 })
    expect(await collect(walk)).toEqual(down(50, 21))
  })

  it('takes no short page for the last when the transactions cannot be read', async () => {
    const { v2 } = await serve({ size: 25, cap: 4, hasData: false })
    const walk = v2[method].iterate({ address: ADDRESS }, { pageSize: 10 })
    expect(await collect(walk)).toEqual(down(25, 1))
    expect(walk.cursor().isDone).toBe(true)
  })

  it('takes no empty page for an account that was never used, when its state says otherwise', async () => {
    const { server, v2 } = await serve({ size: 25, emptyPages: 1 })
    const walk = v2[method].iterate({ address: ADDRESS }, { pageSize: 25 })
    expect(await collect(walk)).toEqual(down(25, 1))
    expect(
      server.asked.map(({ path, query }) => [path.split('/').at(-1), query['archival']]),
    ).toEqual([
      [method, undefined],
      ['getAddressInformation', undefined],
      [method, 'true'],
    ])
  })

  it('says that history is missing where an account has some and no node shows it', async () => {
    const { v2 } = await serve({ size: 25, emptyPages: 2 })
    const walk = v2[method].iterate({ address: ADDRESS })
    await expect(collect(walk)).rejects.toThrow(HistoryNotAvailableError)
    expect(walk.cursor().isDone).toBe(false)
  })
})

describe('transactions that cannot be read', () => {
  it('are asked for once more after a short page of getTransactions', async () => {
    const { server, v2 } = await serve({ size: 25, hasData: false })
    const walk = v2.getTransactions.iterate({ address: ADDRESS }, { pageSize: 10 })
    expect(await collect(walk)).toEqual(down(25, 1))
    expect(server.asked.map(({ rows }) => rows)).toEqual([10, 10, 7, 1])
  })

  it('are told to be the last by getTransactionsStd', async () => {
    const { server, v2 } = await serve({ size: 25, hasData: false })
    const walk = v2.getTransactionsStd.iterate({ address: ADDRESS }, { pageSize: 10 })
    expect(await collect(walk)).toEqual(down(25, 1))
    expect(server.asked.map(({ rows }) => rows)).toEqual([10, 10, 7])
  })
})

describe('page size', () => {
  it('is lowered to 100 once, when the server takes no more, and stays so for the client', async () => {
    const { server, v2 } = await serve({ size: 450, maxLimit: 100 })
    const params = { address: ADDRESS }
    expect(await collect(v2.getTransactions.iterate(params, { pageSize: 1000 }))).toEqual(
      down(450, 1),
    )
    expect(limits(server.asked)).toEqual([1000, 100, 100, 100, 100, 100])
    server.asked.length = 0
    await collect(v2.getTransactions.iterate(params, { pageSize: 500 }))
    expect(limits(server.asked)).toEqual([100, 100, 100, 100, 100])
  })

  it('stays when the server takes it', async () => {
    const { server, v2 } = await serve({ size: 2500 })
    await collect(v2.getTransactions.iterate({ address: ADDRESS }, { pageSize: 1000 }))
    expect(limits(server.asked)).toEqual([1000, 1000, 1000])
  })

  it('is not lowered when the server refuses another parameter', async () => {
    const { server, v2 } = await serve({ size: 450, refusal: 'address should be of an account' })
    const walk = v2.getTransactions.iterate({ address: ADDRESS }, { pageSize: 1000 })
    await expect(collect(walk)).rejects.toThrow(ValidationError)
    expect(limits(server.asked)).toEqual([1000])
  })

  it('is not learnt when a smaller page is refused too', async () => {
    const { server, v2 } = await serve({ size: 450, maxLimit: 0 })
    const walk = v2.getTransactions.iterate({ address: ADDRESS }, { pageSize: 1000 })
    await expect(collect(walk)).rejects.toThrow(ValidationError)
    expect(limits(server.asked)).toEqual([1000, 100])
    server.asked.length = 0
    await expect(
      collect(v2.getTransactions.iterate({ address: ADDRESS }, { pageSize: 1000 })),
    ).rejects.toThrow(ValidationError)
    expect(limits(server.asked)).toEqual([1000, 100])
  })
})
