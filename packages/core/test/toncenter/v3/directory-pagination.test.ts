import { describe, expect, it } from 'vitest'
import { ResponseShapeError } from '../../../src/toncenter/errors/api.js'
import type { ListName } from '../../../src/toncenter/v3/paging/lists.js'
import { hashOf } from './index-rows.js'
import {
  collect,
  DIRECTORIES,
  idsUpTo,
  paginate,
  rowOf,
  rowsUpTo,
  serve,
  sorted,
  stored,
} from './pagination.js'

const NAMES = Object.entries(DIRECTORIES) as [ListName, string][]
const paramsOf = (name: ListName): object => {
  if (name === 'dnsActiveAuctions') return { bidder: `0:${'1'.repeat(64)}` }
  if (name === 'dnsRecords') return { wallet: `0:${'1'.repeat(64)}` }
  return name === 'vesting' ? { contract_address: `0:${'1'.repeat(64)}` } : {}
}

describe.each(NAMES)('%s.paginate', (name, path) => {
  const rows = { [path]: rowsUpTo(60).map((row) => ({ ...row, id: row.id + 1000 })) }
  const expected = idsUpTo(60).map((id) => id + 1000)

  it.each([
    ['ahead of what was read', () => 1000],
    ['behind it', () => 2000],
  ])('delivers each row once when rows are added %s', async (_, firstAdded) => {
    let added = firstAdded()
    const { server, v3 } = await serve({
      rows,
      beforeResponse: () => server.table(path).insert(rowOf(added < 2000 ? added-- : added++)),
    })
    const ids = await collect(paginate(v3, name, paramsOf(name), { pageSize: 10 }))
    expect(new Set(ids).size).toBe(ids.length)
    expect(sorted(ids.filter((id) => id > 1000 && id < 2000))).toEqual(expected)
  })

  it('delivers the remaining rows when rows are removed', async () => {
    let removed = 1000
    const { server, v3 } = await serve({
      rows,
      beforeResponse: () => {
        if (server.requests.length % 2 === 1) return
        for (let count = 0; count < 5; count++) server.table(path).remove(++removed)
      },
    })
    const ids = await collect(paginate(v3, name, paramsOf(name), { pageSize: 10 }))
    expect(new Set(ids).size).toBe(ids.length)
    const stayed = expected.filter((id) => id > removed)
    expect(sorted(ids).filter((id) => id > removed)).toEqual(stayed)
  })

  it('resumes after a crash at any item', async () => {
    const { v3 } = await serve({ rows })
    for (let crash = 1; crash <= 60; crash += 7) {
      const walk = paginate(v3, name, paramsOf(name), { pageSize: 9 })
      const before: number[] = []
      for await (const row of walk) {
        before.push(...(await collect([row] as never)))
        if (before.length === crash) break
      }
      const cursor = stored(walk)
      const after = await collect(paginate(v3, name, paramsOf(name), { pageSize: 7, cursor }))
      expect([...before, ...after]).toEqual(expected)
    }
  })
})

describe('a server that returns fewer rows than requested', () => {
  it.each(NAMES)('does not end the iteration of %s', async (name, path) => {
    const { v3 } = await serve({ rows: { [path]: rowsUpTo(60) }, mostRows: () => 7 })
    expect(await collect(paginate(v3, name, paramsOf(name), { pageSize: 100 }))).toEqual(
      idsUpTo(60),
    )
  })

  it('does not end an iteration while its list grows ahead of it', async () => {
    let added = 1000
    const rows = { '/nft/items': rowsUpTo(60).map((row) => ({ ...row, id: row.id + 1000 })) }
    const { server, v3 } = await serve({
      rows,
      mostRows: () => 7,
      beforeResponse: ({ query }) => {
        if (query.get('offset') !== '6') return
        // As many as a page holds beside the row that it begins with, so that none of its rows is new.
        server.table('/nft/items').insert(...Array.from({ length: 6 }, () => rowOf(added--)))
      },
    })
    const ids = await collect(v3.nftItems.paginate({}))
    expect(ids).toEqual(idsUpTo(60).map((id) => id + 1000))
  })

  it.each([
    ['transactionsByMasterchainBlock', '/transactions', { seqno: 1 }],
    ['masterchainBlockShards', '/masterchainBlockShards', { seqno: 1 }],
    ['transactionsByMessage', '/transactionsByMessage', { opcode: 5 }],
  ] as const)('does not end the iteration of %s', async (name, path, params) => {
    const rows = rowsUpTo(60).map((row) => ({ ...row, mc: 1 }))
    const { v3 } = await serve({ rows: { [path]: rows }, mostRows: () => 7 })
    expect(sorted(await collect(paginate(v3, name, params)))).toEqual(idsUpTo(60))
  })
})

describe('a server that ignores offset', () => {
  const isOffsetIgnored = (): boolean => true

  it('ends the iteration after all rows', async () => {
    const rows = { '/nft/items': rowsUpTo(30) }
    const { server, v3 } = await serve({ rows, isOffsetIgnored })
    expect(await collect(v3.nftItems.paginate({}))).toEqual(idsUpTo(30))
    expect(server.requests).toHaveLength(3)
  })

  it('ends the iteration with an error when more rows may follow', async () => {
    const rows = { '/nft/items': rowsUpTo(30) }
    const { v3 } = await serve({ rows, isOffsetIgnored })
    await expect(collect(v3.nftItems.paginate({}, { pageSize: 10 }))).rejects.toThrow(
      ResponseShapeError,
    )
  })
})

describe('transactionsByMessage.paginate', () => {
  it('delivers each transaction once', async () => {
    const { v3 } = await serve({ rows: { '/transactionsByMessage': rowsUpTo(35) } })
    const walk = v3.transactionsByMessage.paginate({ msg_hash: hashOf(1) }, { pageSize: 10 })
    expect(sorted(await collect(walk))).toEqual(idsUpTo(35))
  })
})

describe('rows that the server lists twice', () => {
  it('are delivered once', async () => {
    const { server, v3 } = await serve({ rows: { '/transactionsByMessage': rowsUpTo(35) } })
    const table = server.table('/transactionsByMessage')
    const { query } = table
    table.query = ({ offset, limit, ...one }) => {
      const all = query.call(table, { ...one, offset: 0, limit: 1000 })
      const rows = all.rows.flatMap((row) => [row, row]).slice(offset, offset + limit)
      return { rows, work: all.work }
    }
    const walk = v3.transactionsByMessage.paginate({ opcode: 5 }, { pageSize: 9 })
    expect(sorted(await collect(walk))).toEqual(idsUpTo(35))
  })
})

describe('transactionsByMasterchainBlock.paginate', () => {
  it.each(['asc', 'desc'] as const)('delivers each transaction once, %s', async (sort) => {
    const rows = rowsUpTo(50).map((row) => ({ ...row, mc: row.id > 8 ? 12 : 11 }))
    const { v3 } = await serve({ rows: { '/transactions': rows } })
    const walk = v3.transactionsByMasterchainBlock.paginate({ seqno: 12, sort }, { pageSize: 10 })
    expect(sorted(await collect(walk))).toEqual(idsUpTo(50).slice(8))
  })
})

describe('masterchainBlockShards.paginate', () => {
  it('delivers all blocks of a server that ignores limit and offset', async () => {
    const { server, v3 } = await serve({
      rows: { '/masterchainBlockShards': rowsUpTo(30) },
      isOffsetIgnored: () => true,
    })
    const walk = v3.masterchainBlockShards.paginate({ seqno: 5 })
    const before: number[] = []
    for await (const { seqno } of walk) if (before.push(seqno) === 12) break
    const after = await collect(
      v3.masterchainBlockShards.paginate({ seqno: 5 }, { cursor: stored(walk) }),
    )
    expect([...before, ...after]).toEqual(idsUpTo(30))
    expect(server.requests).toHaveLength(3)
  })
})
