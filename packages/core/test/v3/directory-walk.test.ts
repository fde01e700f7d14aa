import { describe, expect, it } from 'vitest'
import { ResponseShapeError } from '../../src/errors/api.js'
import type { ListName } from '../../src/v3/paging/lists.js'
import { hashOf } from './index-rows.js'
import {
  collect,
  DIRECTORIES,
  idsUpTo,
  iterate,
  rowOf,
  rowsUpTo,
  serve,
  sorted,
  stored,
} from './walks.js'

const NAMES = Object.entries(DIRECTORIES) as [ListName, string][]
const paramsOf = (name: ListName): object => {
  if (name === 'dnsRecords') return { wallet: `0:${'1'.repeat(64)}` }
  return name === 'vesting' ? { contract_address: `0:${'1'.repeat(64)}` } : {}
}

describe.each(NAMES)('%s.iterate', (name, path) => {
  const rows = { [path]: rowsUpTo(60).map((row) => ({ ...row, id: row.id + 1000 })) }
  const expected = idsUpTo(60).map((id) => id + 1000)

  it.each([
    ['ahead of what was read', () => 1000],
    ['behind it', () => 2000],
  ])('delivers each row once when rows are added %s', async (_, firstAdded) => {
    let added = firstAdded()
    const { server, v3 } = await serve({
      rows,
      beforeAnswer: () => server.table(path).insert(rowOf(added < 2000 ? added-- : added++)),
    })
    const ids = await collect(iterate(v3, name, paramsOf(name), { pageSize: 10 }))
    expect(new Set(ids).size).toBe(ids.length)
    expect(sorted(ids.filter((id) => id > 1000 && id < 2000))).toEqual(expected)
  })

  it('delivers what stays when rows go away', async () => {
    let removed = 1000
    const { server, v3 } = await serve({
      rows,
      beforeAnswer: () => {
        if (server.asked.length % 2 === 1) return
        for (let count = 0; count < 5; count++) server.table(path).remove(++removed)
      },
    })
    const ids = await collect(iterate(v3, name, paramsOf(name), { pageSize: 10 }))
    expect(new Set(ids).size).toBe(ids.length)
    const stayed = expected.filter((id) => id > removed)
    expect(sorted(ids).filter((id) => id > removed)).toEqual(stayed)
  })

  it('goes on after a crash at any item', async () => {
    const { v3 } = await serve({ rows })
    for (let crash = 1; crash <= 60; crash += 7) {
      const walk = iterate(v3, name, paramsOf(name), { pageSize: 9 })
      const before: number[] = []
      for await (const row of walk) {
        before.push(...(await collect([row] as never)))
        if (before.length === crash) break
      }
      const cursor = stored(walk)
      const after = await collect(iterate(v3, name, paramsOf(name), { pageSize: 7, cursor }))
      expect([...before, ...after]).toEqual(expected)
    }
  })
})

describe('a server that answers fewer rows than it is asked for', () => {
  it.each(NAMES)('does not end the walk of %s', async (name, path) => {
    const { v3 } = await serve({ rows: { [path]: rowsUpTo(60) }, mostRows: () => 7 })
    expect(await collect(iterate(v3, name, paramsOf(name), { pageSize: 100 }))).toEqual(idsUpTo(60))
  })

  it('does not end a walk whose list grows ahead of it meanwhile', async () => {
    let added = 1000
    const rows = { '/nft/items': rowsUpTo(60).map((row) => ({ ...row, id: row.id + 1000 })) }
    const { server, v3 } = await serve({
      rows,
      mostRows: () => 7,
      beforeAnswer: ({ query }) => {
        if (query.get('offset') !== '6') return
        // As many as a page holds beside the row that it begins with, so that none of its rows is new.
        server.table('/nft/items').insert(...Array.from({ length: 6 }, () => rowOf(added--)))
      },
    })
    const ids = await collect(v3.nftItems.iterate({}))
    expect(ids).toEqual(idsUpTo(60).map((id) => id + 1000))
  })

  it.each([
    ['transactionsByMasterchainBlock', '/transactions', { seqno: 1 }],
    ['masterchainBlockShards', '/masterchainBlockShards', { seqno: 1 }],
    ['transactionsByMessage', '/transactionsByMessage', { opcode: 5 }],
  ] as const)('does not end the walk of %s', async (name, path, params) => {
    const rows = rowsUpTo(60).map((row) => ({ ...row, mc: 1 }))
    const { v3 } = await serve({ rows: { [path]: rows }, mostRows: () => 7 })
    expect(sorted(await collect(iterate(v3, name, params)))).toEqual(idsUpTo(60))
  })
})

describe('a server that does not look at offset', () => {
  const isOffsetIgnored = (): boolean => true

  it('ends the walk when it has shown all', async () => {
    const rows = { '/nft/items': rowsUpTo(30) }
    const { server, v3 } = await serve({ rows, isOffsetIgnored })
    expect(await collect(v3.nftItems.iterate({}))).toEqual(idsUpTo(30))
    expect(server.asked).toHaveLength(3)
  })

  it('ends the walk with an error when more may follow', async () => {
    const rows = { '/nft/items': rowsUpTo(30) }
    const { v3 } = await serve({ rows, isOffsetIgnored })
    await expect(collect(v3.nftItems.iterate({}, { pageSize: 10 }))).rejects.toThrow(
      ResponseShapeError,
    )
  })
})

describe('transactionsByMessage.iterate', () => {
  it('delivers each transaction once', async () => {
    const { v3 } = await serve({ rows: { '/transactionsByMessage': rowsUpTo(35) } })
    const walk = v3.transactionsByMessage.iterate({ msg_hash: hashOf(1) }, { pageSize: 10 })
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
    const walk = v3.transactionsByMessage.iterate({ opcode: 5 }, { pageSize: 9 })
    expect(sorted(await collect(walk))).toEqual(idsUpTo(35))
  })
})

describe('transactionsByMasterchainBlock.iterate', () => {
  it.each(['asc', 'desc'] as const)('delivers each transaction once, %s', async (sort) => {
    const rows = rowsUpTo(50).map((row) => ({ ...row, mc: row.id > 8 ? 12 : 11 }))
    const { v3 } = await serve({ rows: { '/transactions': rows } })
    const walk = v3.transactionsByMasterchainBlock.iterate({ seqno: 12, sort }, { pageSize: 10 })
    expect(sorted(await collect(walk))).toEqual(idsUpTo(50).slice(8))
  })
})

describe('masterchainBlockShards.iterate', () => {
  it('takes all blocks of a server that does not look at limit and offset', async () => {
    const { server, v3 } = await serve({
      rows: { '/masterchainBlockShards': rowsUpTo(30) },
      isOffsetIgnored: () => true,
    })
    const walk = v3.masterchainBlockShards.iterate({ seqno: 5 })
    const before: number[] = []
    for await (const { seqno } of walk) if (before.push(seqno) === 12) break
    const after = await collect(
      v3.masterchainBlockShards.iterate({ seqno: 5 }, { cursor: stored(walk) }),
    )
    expect([...before, ...after]).toEqual(idsUpTo(30))
    expect(server.asked).toHaveLength(3)
  })
})
