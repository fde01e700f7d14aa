import { describe, expect, it } from 'vitest'
import { ResponseShapeError } from '../../../src/toncenter/errors/api.js'
import type { Cursor } from '../../../src/toncenter/paging/cursor.js'
import { createV2Client, type V2Client } from '../../../src/toncenter/v2/client.js'
import { startMockApi, type ApiRequest } from '@tonplug/test-support/mock-api'

const BLOCK = { workchain: 0, shard: '-9223372036854775808', seqno: 5 }
const HASH = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='

/** A transaction of the block: the account is two hex digits, repeated. */
interface Row {
  account: string
  lt: number
}

// By account, then by lt, as in a block; one account has several, and lts are shared between accounts.
const ROWS: Row[] = ['0a', '1b', '2c', '3d', '4e'].flatMap((account, index) =>
  Array.from({ length: index + 1 }, (_, number) => ({ account, lt: 1000 + number })),
)
const ACCOUNT = (digits: string): string => `0:${digits.repeat(32).toUpperCase()}`
const names = ROWS.map(({ account, lt }) => `${account} ${lt}`)

const blockId = { ...BLOCK, root_hash: HASH, file_hash: HASH }

function shortId({ account, lt }: Row): object {
  return { mode: 135, account: ACCOUNT(account), lt: String(lt), hash: HASH }
}

function extended({ account, lt }: Row): object {
  const amounts = { fee: '0', storage_fee: '0', other_fee: '0' }
  return {
    '@type': 'raw.transaction',
    // The Python server may leave `account` out.
    ...(account !== '2c' && { account: ACCOUNT(account) }),
    address: { account_address: ACCOUNT(account) },
    utime: 1,
    data: '',
    transaction_id: { lt: String(lt), hash: HASH },
    ...amounts,
    out_msgs: [],
  }
}

/** Answers as both servers do: after an lt and the hash of an account. */
function answer({ path, query }: ApiRequest): string {
  const count = Number(query.get('count'))
  const after = query.get('after_hash')
  const hash = after === null ? '' : Buffer.from(after, 'base64').toString('hex')
  const position = ROWS.findIndex(
    ({ account, lt }) => account.repeat(32) === hash && String(lt) === query.get('after_lt'),
  )
  if (after !== null && position === -1) return refused(after)
  const page = ROWS.slice(position + 1, position + 1 + count)
  const incomplete = position + 1 + count < ROWS.length
  const transactions = page.map(path === '/getBlockTransactions' ? shortId : extended)
  return JSON.stringify({
    ok: true,
    result: { id: blockId, req_count: count, incomplete, transactions },
  })
}

function refused(after: string): string {
  return JSON.stringify({ ok: false, code: 422, error: `no transaction after ${after}` })
}

type BlockFilter = Pick<V2Client, 'getBlockTransactions' | 'getBlockTransactionsExt'>
type Options = Parameters<BlockFilter['getBlockTransactions']['paginate']>[1]

/** The names of what a walk delivers. */
async function* namesOf(v2: V2Client, method: keyof BlockFilter, options: Options) {
  if (method === 'getBlockTransactions') {
    const walk = v2.getBlockTransactions.paginate(BLOCK, options)
    for await (const { account, lt } of walk) {
      yield { name: `${account.slice(2, 4).toLowerCase()} ${lt}`, cursor: walk.cursor() }
    }
    return
  }
  const walk = v2.getBlockTransactionsExt.paginate(BLOCK, options)
  for await (const { address, transaction_id } of walk) {
    const account = address.account_address.slice(2, 4).toLowerCase()
    yield { name: `${account} ${transaction_id.lt}`, cursor: walk.cursor() }
  }
}

async function collect(walk: ReturnType<typeof namesOf>): Promise<string[]> {
  const collected: string[] = []
  for await (const { name } of walk) collected.push(name)
  return collected
}

describe.each(['getBlockTransactions', 'getBlockTransactionsExt'] as const)(
  '%s.paginate',
  (method) => {
    it.each([1, 2, 4, 15, 16])('delivers every transaction once, %i a page', async (pageSize) => {
      const { baseUrl, requests } = await startMockApi(answer)
      const v2 = createV2Client({ baseUrl, rps: Infinity })
      expect(await collect(namesOf(v2, method, { pageSize }))).toEqual(names)
      expect(requests).toHaveLength(Math.ceil(ROWS.length / pageSize))
      expect(requests.every(({ query }) => query.get('count') === String(pageSize))).toBe(true)
    })

    it('resumes after a crash at any transaction', async () => {
      const { baseUrl } = await startMockApi(answer)
      const v2 = createV2Client({ baseUrl, rps: Infinity })
      for (let crash = 1; crash <= ROWS.length; crash++) {
        const before: string[] = []
        let stored = ''
        for await (const { name, cursor } of namesOf(v2, method, { pageSize: 4 })) {
          stored = JSON.stringify(cursor)
          if (before.push(name) === crash) break
        }
        const cursor = JSON.parse(stored) as Cursor
        const after = await collect(namesOf(v2, method, { pageSize: 3, cursor }))
        expect([...before, ...after]).toEqual(names)
      }
    })
  },
)

describe('getBlockTransactions.paginate', () => {
  it('sends the hash of the account, not of the transaction', async () => {
    const { baseUrl, requests } = await startMockApi(answer)
    const v2 = createV2Client({ baseUrl, rps: Infinity })
    await collect(namesOf(v2, 'getBlockTransactions', { pageSize: 14 }))
    const hash = Buffer.from('4e'.repeat(32), 'hex').toString('base64')
    expect(requests[1]?.query.get('after_hash')).toBe(hash)
    expect(requests[1]?.query.get('after_lt')).toBe('1003')
  })

  it.each([{ seqno: 6 }, { workchain: -1 }, { shard: '4611686018427387904' }])(
    'rejects the cursor of a block for %j',
    async (other) => {
      const { baseUrl, requests } = await startMockApi(answer)
      const v2 = createV2Client({ baseUrl, rps: Infinity })
      const walk = v2.getBlockTransactions.paginate(BLOCK)
      for await (const _ of walk) break
      const cursor = walk.cursor()
      const start = () => v2.getBlockTransactions.paginate({ ...BLOCK, ...other }, { cursor })
      expect(start).toThrow('cursor was made with other parameters')
      expect(requests).toHaveLength(1)
    },
  )

  it('accepts the cursor of the same block with its shard in hex', async () => {
    const { baseUrl } = await startMockApi(answer)
    const v2 = createV2Client({ baseUrl, rps: Infinity })
    const walk = v2.getBlockTransactions.paginate(BLOCK)
    for await (const _ of walk) break
    const params = { ...BLOCK, shard: '8000000000000000' }
    const rest = v2.getBlockTransactions.paginate(params, { cursor: walk.cursor() })
    const lts: bigint[] = []
    for await (const { lt } of rest) lts.push(lt)
    expect(lts).toHaveLength(ROWS.length - 1)
  })

  it('starts after after_lt and after_hash', async () => {
    const { baseUrl } = await startMockApi(answer)
    const v2 = createV2Client({ baseUrl, rps: Infinity })
    const from = { ...BLOCK, after_lt: 1001n, after_hash: ACCOUNT('1b') }
    const lts: bigint[] = []
    for await (const { lt } of v2.getBlockTransactions.paginate(from)) lts.push(lt)
    expect(lts).toHaveLength(ROWS.length - 3)
  })

  it('ends when the server repeats a page', async () => {
    const page = {
      id: blockId,
      req_count: 1,
      incomplete: true,
      transactions: [shortId({ account: '0a', lt: 1000 })],
    }
    const { baseUrl, requests } = await startMockApi(() =>
      JSON.stringify({ ok: true, result: page }),
    )
    const v2 = createV2Client({ baseUrl, rps: Infinity })
    await expect(collect(namesOf(v2, 'getBlockTransactions', { pageSize: 1 }))).rejects.toThrow(
      ResponseShapeError,
    )
    expect(requests).toHaveLength(2)
  })
})
