import { describe, expect, it } from 'vitest'
import { createTransport } from '../../src/transport/transport.js'
import { createV2Client } from '../../src/v2/client.js'
import type { V2ResponseMeta } from '../../src/v2/call.js'
import { startApiServer } from './api-server.js'
import { readFixture } from './fixtures.js'

const address = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'
const hash = 'b26/Pw8BYz6VY7RyYB/w2Nf8pKBebsg+H4rT1pH5ZEM='
const HEX = '6f6ebf3f0f01633e9563b472601ff0d8d7fca4a05e6ec83e1f8ad3d691f96443'
const boc = 'te6cckEBAQEAAgAAAEysuc0='

async function start(text: string, options: { jsonRpc?: boolean } = {}) {
  const { baseUrl, arrived } = await startApiServer(() => text)
  return { v2: createV2Client({ baseUrl, rps: Infinity, ...options }), arrived }
}

describe('a request', () => {
  it('goes as a query, every value percent-encoded', async () => {
    const { v2, arrived } = await start(readFixture('getTransactions.empty.cpp.json'))
    await v2.getTransactions({ address, lt: 48_756_545_000_001n, hash: HEX, to_lt: '5', limit: 3 })
    expect(arrived[0]).toMatchObject({ method: 'GET', path: '/getTransactions' })
    expect(Object.fromEntries(arrived[0]?.query ?? [])).toEqual({
      address,
      lt: '48756545000001',
      hash,
      to_lt: '5',
      limit: '3',
    })
  })

  it('repeats the name of a list', async () => {
    const { v2, arrived } = await start(readFixture('getLibraries.cpp.json'))
    await v2.getLibraries({ libraries: [hash, HEX] })
    expect(arrived[0]?.query.getAll('libraries')).toEqual([hash, hash])
  })

  it('goes as JSON where the endpoint takes that, with only what was passed', async () => {
    const { v2, arrived } = await start(readFixture('estimateFee.cpp.json'))
    await v2.estimateFee({ address, body: boc, init_code: undefined, ignore_chksig: false })
    expect(arrived[0]).toMatchObject({ method: 'POST', path: '/estimateFee' })
    expect(arrived[0]?.body).toEqual({ address, body: boc, ignore_chksig: false })
  })

  it('is not sent when a parameter cannot be right', async () => {
    const { v2, arrived } = await start('{}')
    await expect(v2.getAddressBalance({ address: '0:abc' })).rejects.toThrow('address must be')
    expect(arrived).toEqual([])
  })
})

describe('a server that has API v2 at its root', () => {
  it.each([
    ['/jsonRPC', false, '/getAddressBalance'],
    ['/jsonRPC', true, '/jsonRPC'],
    ['/prefix/jsonRPC/', false, '/prefix/getAddressBalance'],
    ['/prefix', false, '/prefix/api/v2/getAddressBalance'],
    ['/api/v2/jsonRPC', false, '/api/v2/getAddressBalance'],
  ])('is named by its entrance %s (jsonRpc %s)', async (entrance, jsonRpc, path) => {
    const urls: string[] = []
    const { baseUrl } = await startApiServer(() => '{"ok":true,"result":"12"}')
    const hooks = { request: ({ url }: { url: string }) => void urls.push(url) }
    const v2 = createV2Client({ baseUrl: baseUrl + entrance, rps: Infinity, jsonRpc, hooks })
    expect(await v2.getAddressBalance({ address })).toBe(12n)
    expect(urls.map((url) => new URL(url).pathname)).toEqual([path])
  })

  it('is hinted at where no path is found', async () => {
    const { baseUrl } = await startApiServer(() => ({
      status: 404,
      text: '{"detail":"Not Found"}',
    }))
    const v2 = createV2Client({ baseUrl, rps: Infinity })
    await expect(v2.getAddressBalance({ address })).rejects.toThrow(
      'check the path and baseUrl, which ends in /jsonRPC where API v2 is not below /api/v2 (404: Not Found)',
    )
  })
})

describe('the option jsonRpc', () => {
  it('sends the same calls through one path, numbers and long integers as both servers take them', async () => {
    const { v2, arrived } = await start(readFixture('getTransactions.captured-json-rpc.json'), {
      jsonRpc: true,
    })
    const list = await v2.getTransactions({ address, limit: 1, lt: 22_014_131_000_001n, hash })
    expect(list[0]?.transaction_id.lt).toBe(22_014_131_000_001n)
    expect(arrived[0]).toMatchObject({ method: 'POST', path: '/jsonRPC' })
    expect(arrived[0]?.body).toEqual({
      jsonrpc: '2.0',
      id: '1',
      method: 'getTransactions',
      params: { address, limit: 1, lt: '22014131000001', hash },
    })
  })

  it('sends an object of parameters when there are none', async () => {
    const { v2, arrived } = await start(readFixture('getMasterchainInfo.cpp.json'), {
      jsonRpc: true,
    })
    await v2.getMasterchainInfo()
    expect(arrived[0]?.body).toMatchObject({ method: 'getMasterchainInfo', params: {} })
  })

  it('takes an answer by its exchange, whatever its id', async () => {
    const text = readFixture('getMasterchainInfo.captured-json-rpc.json')
    const { baseUrl } = await startApiServer(({ body }) => {
      const { params } = body as { params: { seqno?: number } }
      const shards = readFixture('shards.cpp.json')
      return params.seqno === undefined ? text.replace('"id":"1"', '"id":"99"') : shards
    })
    const v2 = createV2Client({ baseUrl, rps: Infinity, jsonRpc: true })
    const [info, { shards }] = await Promise.all([v2.getMasterchainInfo(), v2.shards({ seqno: 5 })])
    expect(info.last.seqno).toBe(19_621_531)
    expect(shards).toHaveLength(2)
  })

  it.each(['"id":1,', '"id":"1",', '"id":"another",', '"id":null,', '"id":[],', ''])(
    'takes the answer of its own exchange, whatever its id is: %s',
    async (id) => {
      const { v2 } = await start(`{${id}"jsonrpc":"2.0","ok":true,"result":"12"}`, {
        jsonRpc: true,
      })
      expect(await v2.getAddressBalance({ address })).toBe(12n)
      expect(await v2.jsonRPC({ method: 'getAddressBalance', params: { address } })).toBe('12')
    },
  )

  it('takes a number for the id, which goes as a text', async () => {
    const { v2, arrived } = await start('{"ok":true,"result":"12"}')
    await v2.jsonRPC({ method: 'getAddressBalance', id: 7, params: { address } })
    expect(arrived[0]?.body).toMatchObject({ id: '7' })
  })

  it('leaves the method jsonRPC as it is', async () => {
    const { v2, arrived } = await start('{"ok":true,"result":{"big":12345678901234567890}}', {
      jsonRpc: true,
    })
    const call = { method: 'getNew', params: { a: 1 }, id: 'mine' }
    expect(await v2.jsonRPC(call)).toEqual({ big: '12345678901234567890' })
    expect(arrived[0]?.body).toEqual({
      jsonrpc: '2.0',
      id: 'mine',
      method: 'getNew',
      params: { a: 1 },
    })
  })
})

describe('a list that is too long for an address', () => {
  const libraries = (count: number) =>
    Array.from({ length: count }, (_, index) => index.toString(16).padStart(64, '0'))

  it('goes through /jsonRPC', async () => {
    const { v2, arrived } = await start(readFixture('getLibraries.cpp.json'))
    const { result } = await v2.getLibraries({ libraries: libraries(500) })
    expect(result).toHaveLength(1)
    expect(arrived[0]).toMatchObject({ method: 'POST', path: '/jsonRPC' })
    const sent = { method: 'getLibraries', params: { libraries: { length: 500 } } }
    expect(arrived[0]?.body).toMatchObject(sent)
  })

  it.each([1, 50, 100, 130])('stays in the address while that is short: %i', async (count) => {
    const { v2, arrived } = await start(readFixture('getLibraries.cpp.json'))
    await v2.getLibraries({ libraries: libraries(count) })
    const [one] = arrived
    expect(one?.method).toBe(count <= 100 ? 'GET' : 'POST')
    expect(String(one?.query).length).toBeLessThan(7000)
  })
})

describe('an answer', () => {
  async function metaOf(text: string): Promise<V2ResponseMeta | undefined> {
    const { v2 } = await start(text)
    let meta: V2ResponseMeta | undefined
    await v2.getMasterchainInfo({}, { onResponse: (told) => (meta = told) })
    return meta
  }

  it('tells the @extra of the C++ server', async () => {
    const meta = await metaOf(readFixture('getMasterchainInfo.cpp.json'))
    expect(meta).toMatchObject({ requestId: '1784332062:_:0.004:c', status: 200, attempts: 1 })
  })

  it('tells the @extra of the Python server', async () => {
    const meta = await metaOf(readFixture('getMasterchainInfo.captured-json-rpc.json'))
    expect(meta?.requestId).toBe('1716788421.2859814:4:0.024843195107998484')
  })

  it('is shared by identical reads in flight, each with objects of its own', async () => {
    const { v2, arrived } = await start(readFixture('getMasterchainInfo.cpp.json'))
    const [one, other] = await Promise.all([v2.getMasterchainInfo(), v2.getMasterchainInfo()])
    expect(arrived).toHaveLength(1)
    expect(one).toEqual(other)
    expect(one.last).not.toBe(other.last)
  })

  it('is not shared by two sends', async () => {
    const { v2, arrived } = await start(readFixture('sendBoc.cpp.json'))
    await Promise.all([v2.sendBoc({ boc }), v2.sendBoc({ boc })])
    expect(arrived).toHaveLength(2)
  })

  it('with new values is told as drift, once', async () => {
    const text = readFixture('getAddressInformation.cpp.json').replace('"active"', '"sleeping"')
    const { baseUrl } = await startApiServer(() => text)
    const drifts: unknown[] = []
    const hooks = { drift: (event: unknown) => drifts.push(event) }
    const v2 = createV2Client({ transport: createTransport({ baseUrl, rps: Infinity, hooks }) })
    expect((await v2.getAddressInformation({ address })).state).toBe('sleeping')
    await v2.getAddressInformation({ address })
    expect(drifts).toEqual([
      { endpoint: 'getAddressInformation', path: 'state', problem: 'unknown value "sleeping"' },
    ])
  })
})

describe('a request outside the table', () => {
  it('answers what stands under result, no digit lost', async () => {
    const { v2, arrived } = await start('{"ok":true,"result":{"id":9007199254740993,"n":5}}')
    const result = await v2.request({
      path: '/getBrandNew',
      params: { a: 1n, b: true, c: ['x', 'y+'], d: undefined },
    })
    expect(result).toEqual({ id: '9007199254740993', n: 5 })
    expect(arrived[0]?.path).toBe('/getBrandNew')
    expect(arrived[0]?.query.toString()).toBe('a=1&b=true&c=x&c=y%2B')
  })

  it('sends a bigint as its digits, in a query, in a body and through /jsonRPC', async () => {
    const { v2, arrived } = await start('{"ok":true,"result":null}')
    const seqno = 9_223_372_036_854_775_807n
    await v2.request({ path: '/getNew', params: { seqno } })
    await v2.request({ method: 'POST', path: '/runNew', params: { deep: [{ seqno }] } })
    await v2.jsonRPC({ method: 'getNew', params: { seqno } })
    expect(arrived[0]?.query.get('seqno')).toBe('9223372036854775807')
    expect(arrived[1]?.body).toEqual({ deep: [{ seqno: '9223372036854775807' }] })
    expect(arrived[2]?.body).toMatchObject({ params: { seqno: '9223372036854775807' } })
  })

  it('posts JSON', async () => {
    const { v2, arrived } = await start('{"ok":true,"result":null}')
    await v2.request({ method: 'POST', path: '/runNew', params: { stack: [['num', '1']] } })
    expect(arrived[0]).toMatchObject({ method: 'POST', body: { stack: [['num', '1']] } })
  })

  it('rejects as the methods do', async () => {
    const { v2 } = await start('{"ok":false,"error":"Not Found","code":404,"@extra":"_"}')
    await expect(v2.request({ path: '/getNothing' })).rejects.toMatchObject({
      name: 'UnknownMethodError',
      endpoint: 'getNothing',
    })
  })

  it.each(['getX', '/getX?a=1', 'https://example.org/', ''])(
    'refuses the path %j',
    async (path) => {
      const { v2, arrived } = await start('{}')
      await expect(v2.request({ path })).rejects.toHaveProperty(
        'code',
        'ERR_TONPLUG_INVALID_PARAMS',
      )
      expect(arrived).toEqual([])
    },
  )
})
