import { describe, expect, it } from 'vitest'
import { createTransport } from '../../../src/toncenter/transport/transport.js'
import type { ResponseMeta } from '../../../src/toncenter/transport/request.js'
import { createV2Client } from '../../../src/toncenter/v2/client.js'
import { createV3Client } from '../../../src/toncenter/v3/client.js'
import { startMockApi, type Reply } from '@tonplug/test-support/mock-api'

const address = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'
const raw = '0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8'
const other = '0:D8CA6DD04573304609A70EE5104A8D29090E1FC631B29A8E0411172AAA52885A'
const hash = 'b26/Pw8BYz6VY7RyYB/w2Nf8pKBebsg+H4rT1pH5ZEM='
const otherHash = 'hvl6VoIc42KavTxZiEuH68rqGTPrlryE6RZG4wQENyk='
const HEX = '6f6ebf3f0f01633e9563b472601ff0d8d7fca4a05e6ec83e1f8ad3d691f96443'
const boc = 'te6cckEBAQEAAgAAAEysuc0='
const NONE = '{"transactions":[],"address_book":{}}'

async function start(text: string, options: { headers?: Record<string, string> } = {}) {
  const reply: Reply = { body: text, ...options }
  const { baseUrl, requests } = await startMockApi(() => reply)
  return { v3: createV3Client({ baseUrl, rps: Infinity }), requests, baseUrl }
}

/** A transaction as the server writes it, as far as it must. */
function transaction(account: string, more: object = {}): object {
  const description = { type: 'ord' }
  return { account, hash, lt: '93307000000009', now: 5, total_fees: '0', description, ...more }
}

describe('a request', () => {
  it('sends a query with every value percent-encoded, and lists as repeated names', async () => {
    const { v3, requests } = await start(NONE)
    await v3.transactions({ account: [address, raw], hash: HEX, start_lt: 1n })
    expect(requests[0]).toMatchObject({ method: 'GET', path: '/transactions' })
    expect(requests[0]?.query.toString()).toBe(
      `account=${address}&account=${encodeURIComponent(raw)}&hash=${encodeURIComponent(hash)}&start_lt=1&limit=10`,
    )
  })

  it('is sent below /api/v3 of the server, also for a path of two parts', async () => {
    const { requests, baseUrl } = await start(
      '{"jetton_masters":[],"address_book":{},"metadata":{}}',
    )
    for (const root of [baseUrl, `${baseUrl}/api/v3`, `${baseUrl}/api/v2/jsonRPC`]) {
      await createV3Client({ baseUrl: root, rps: Infinity }).jettonMasters({ limit: 1 })
    }
    expect(requests.map(({ path }) => path)).toEqual(
      Array.from({ length: 3 }, () => '/jetton/masters'),
    )
  })

  it('sends JSON where the endpoint accepts it, with only the passed parameters', async () => {
    const { v3, requests } = await start(
      '{"source_fees":{"in_fwd_fee":1,"storage_fee":2,"gas_fee":3,"fwd_fee":4}}',
    )
    const estimated = await v3.estimateFee({ address, body: boc, init_code: undefined })
    expect(requests[0]).toMatchObject({ method: 'POST', path: '/estimateFee' })
    expect(requests[0]?.body).toEqual({ address, body: boc })
    expect(estimated).toEqual({
      source_fees: { in_fwd_fee: 1n, storage_fee: 2n, gas_fee: 3n, fwd_fee: 4n },
      destination_fees: [],
    })
  })

  it('is not sent with an invalid parameter', async () => {
    const { v3, requests } = await start('{}')
    await expect(v3.accountStates({ address: '0:abc' })).rejects.toThrow('address must be')
    expect(requests).toEqual([])
  })

  it('is a GET when its bodies to decode are short, and a POST when they are long', async () => {
    const { v3, requests } = await start(
      '{"opcodes":["jetton_transfer"],"bodies":[{"@type":"x"},null]}',
    )
    const decoded = await v3.decode({ opcodes: 0x0f8a7ea5 })
    expect(decoded).toEqual({ opcodes: ['jetton_transfer'], bodies: [{ '@type': 'x' }, {}] })
    await v3.decode({ bodies: Array.from({ length: 200 }, () => boc) })
    expect(requests[0]).toMatchObject({ method: 'GET', text: '' })
    expect(requests[0]?.query.getAll('opcodes')).toEqual(['0x0f8a7ea5'])
    expect(requests[1]).toMatchObject({ method: 'POST', path: '/decode' })
    expect(requests[1]?.query.toString()).toBe('')
    expect(requests[1]?.body).toEqual({ bodies: Array.from({ length: 200 }, () => boc) })
  })

  it('accepts headers of the index server', async () => {
    const { v3, requests } = await start(NONE)
    await v3.transactions({}, { headers: { 'X-No-Address-Book': 'true' } })
    expect(requests[0]?.headers['x-no-address-book']).toBe('true')
  })
})

describe('a parameter that the server ignores', () => {
  const ours = transaction(raw, { trace_id: hash })
  const theirs = transaction(other, { hash: otherHash, trace_id: otherHash })
  const both = JSON.stringify({ transactions: [ours, theirs], address_book: { [raw]: {} } })

  it.each([address, raw, raw.toLowerCase(), [other.replace('D8', 'D9'), address]])(
    'is applied by the client: exclude_account %s',
    async (exclude_account) => {
      const { v3, requests } = await start(both)
      const { transactions, address_book } = await v3.transactions({ exclude_account })
      expect(transactions.map(({ account }) => account)).toEqual([other])
      expect(Object.keys(address_book ?? {})).toEqual([raw])
      expect(requests[0]?.query.getAll('exclude_account')).toEqual([exclude_account].flat())
    },
  )

  it.each([HEX, [hash]])(
    'is applied by the client: trace_id %s of pending transactions',
    async (trace_id) => {
      const { v3 } = await start(both)
      const { transactions } = await v3.pendingTransactions({ account: [raw, other], trace_id })
      expect(transactions.map(({ account }) => account)).toEqual([raw])
    },
  )

  it('changes nothing when it is absent', async () => {
    const { v3 } = await start(both)
    expect((await v3.transactions({ account: raw })).transactions).toHaveLength(2)
    expect((await v3.pendingTransactions({ account: raw })).transactions).toHaveLength(2)
  })
})

describe('a response', () => {
  it('reports how the response was obtained', async () => {
    const { v3 } = await start(NONE, { headers: { 'x-api-version': '1.2.6' } })
    let meta: ResponseMeta | undefined
    await v3.transactions({}, { onResponse: (told) => (meta = told) })
    expect(meta).toMatchObject({ apiVersion: '1.2.6', status: 200, attempts: 1 })
  })

  it('is shared by identical concurrent reads, each with its own objects', async () => {
    const { v3, requests } = await start(JSON.stringify({ transactions: [transaction(raw)] }))
    const [one, same] = await Promise.all([v3.transactions(), v3.transactions({ limit: 10 })])
    expect(requests).toHaveLength(1)
    expect(one).toEqual(same)
    expect(one.transactions[0]).not.toBe(same.transactions[0])
  })

  it('is not shared by two sends, nor with API v2 over the same transport', async () => {
    const { requests, baseUrl } = await start('{"message_hash":"x"}')
    const transport = createTransport({ baseUrl, rps: Infinity })
    const v3 = createV3Client({ transport })
    await Promise.all([v3.message({ boc }), v3.message({ boc })])
    expect(requests).toHaveLength(2)
    const v2 = createV2Client({ transport })
    await Promise.allSettled([v2.request({ path: '/traces' }), v3.request({ path: '/traces' })])
    expect(requests).toHaveLength(4)
  })

  it.each([
    '{}',
    '{"message_hash":null,"message_hash_norm":""}',
    '{"message_hash":"odd"}',
    '{"message_hash":5}',
    'null',
    '"ok"',
  ])('is a success for an accepted message, whatever its body: %s', async (text) => {
    const { v3 } = await start(text)
    await expect(v3.message({ boc })).resolves.toEqual(expect.any(Object))
  })

  it('is accepted with a value that its enumeration does not have', async () => {
    const { baseUrl } = await startMockApi(() =>
      JSON.stringify({ transactions: [transaction(raw, { end_status: 'asleep' })] }),
    )
    const v3 = createV3Client({ baseUrl, rps: Infinity })
    expect((await v3.transactions()).transactions[0]?.end_status).toBe('asleep')
  })
})

describe('a get-method', () => {
  it('returns a stack with typed entries', async () => {
    const { v3, requests } = await start(
      JSON.stringify({
        gas_used: 5,
        exit_code: 0,
        stack: [
          { type: 'num', value: '-0x1f' },
          { type: 'cell', value: boc },
          { type: 'list', value: [] },
          {
            type: 'tuple',
            value: [
              { type: 'num', value: '0x0' },
              { type: 'slice', value: boc },
            ],
          },
          { type: 'list', value: [{ type: 'tuple', value: [] }] },
          { type: 'builder', value: 'x' },
        ],
      }),
    )
    const call = { address, method: 'get', stack: [{ type: 'number', value: -5n }] } as const
    expect(await v3.runGetMethod(call)).toEqual({
      gas_used: 5,
      exit_code: 0,
      stack: [
        { type: 'number', value: -31n },
        { type: 'cell', boc },
        { type: 'null' },
        {
          type: 'tuple',
          items: [
            { type: 'number', value: 0n },
            { type: 'slice', boc },
          ],
        },
        { type: 'list', items: [{ type: 'tuple', items: [] }] },
        { type: 'unsupported' },
      ],
    })
    expect(requests[0]?.body).toEqual({
      address,
      method: 'get',
      stack: [{ type: 'num', value: '-5' }],
    })
  })

  it('may return null for an empty value', async () => {
    const empty = '{"type":"tuple","value":null},{"type":"list","value":null},{"type":"null"}'
    const one = await start(`{"gas_used":5,"exit_code":0,"stack":[${empty}]}`)
    expect((await one.v3.runGetMethod({ address, method: 'get' })).stack).toEqual([
      { type: 'tuple', items: [] },
      { type: 'null' },
      { type: 'null' },
    ])
    const none = await start('{"gas_used":5,"exit_code":0,"stack":null}')
    expect((await none.v3.runGetMethod({ address, method: 'get' })).stack).toEqual([])
  })

  it.each([
    ['{"type":"num","value":"x"}', 'stack[0].value of the response is not an integer in decimal'],
    ['{"type":"num","value":5}', 'stack[0].value of the response is not an integer in decimal'],
    ['{"type":"cell"}', 'stack[0].value of the response is not a bag of cells'],
    ['{"type":"tuple","value":{}}', 'stack[0].value of the response is not an array'],
    ['["num","0x1"]', 'stack[0] of the response is not an object with type'],
    ['null', 'stack[0] of the response is not an object with type'],
  ])('rejects the entry %s', async (entry, problem) => {
    const { v3 } = await start(`{"gas_used":5,"exit_code":0,"stack":[${entry}]}`)
    await expect(v3.runGetMethod({ address, method: 'get', stack: [] })).rejects.toThrow(problem)
  })
})

describe('a request outside the table', () => {
  it('returns the body without losing a digit', async () => {
    const { v3, requests } = await start('{"id":9007199254740993,"n":5}')
    const result = await v3.request({
      path: '/staking/new',
      params: { a: 1n, b: true, c: ['x', 'y+'], d: undefined },
    })
    expect(result).toEqual({ id: '9007199254740993', n: 5 })
    expect(requests[0]?.path).toBe('/staking/new')
    expect(requests[0]?.query.toString()).toBe('a=1&b=true&c=x&c=y%2B')
  })

  it('posts JSON', async () => {
    const { v3, requests } = await start('[1]')
    expect(await v3.request({ method: 'POST', path: '/new', params: { a: ['b'] } })).toEqual([1])
    expect(requests[0]).toMatchObject({ method: 'POST', body: { a: ['b'] } })
  })

  it.each(['getX', '/getX?a=1', 'https://example.org/', ''])(
    'rejects the path %j',
    async (path) => {
      const { v3, requests } = await start('{}')
      await expect(v3.request({ path })).rejects.toHaveProperty(
        'code',
        'ERR_TONPLUG_INVALID_PARAMS',
      )
      expect(requests).toEqual([])
    },
  )
})
