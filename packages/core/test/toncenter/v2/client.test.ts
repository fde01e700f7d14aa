import { describe, expect, it } from 'vitest'
import { createV2Client } from '../../../src/toncenter/v2/client.js'
import type { V2ResponseMeta } from '../../../src/toncenter/v2/call.js'
import { startMockApi } from '@tonplug/test-support/mock-api'
import { readFixture } from './fixtures.js'

const address = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'
const hash = 'b26/Pw8BYz6VY7RyYB/w2Nf8pKBebsg+H4rT1pH5ZEM='
const HEX = '6f6ebf3f0f01633e9563b472601ff0d8d7fca4a05e6ec83e1f8ad3d691f96443'
const boc = 'te6cckEBAQEAAgAAAEysuc0='

async function start(text: string, options: { jsonRpc?: boolean } = {}) {
  const { baseUrl, requests } = await startMockApi(() => text)
  return { v2: createV2Client({ baseUrl, rps: Infinity, ...options }), requests }
}

describe('a request', () => {
  it('sends a query with every value percent-encoded', async () => {
    const { v2, requests } = await start(readFixture('getTransactions.empty.cpp.json'))
    await v2.getTransactions({ address, lt: 48_756_545_000_001n, hash: HEX, to_lt: '5', limit: 3 })
    expect(requests[0]).toMatchObject({ method: 'GET', path: '/getTransactions' })
    expect(Object.fromEntries(requests[0]?.query ?? [])).toEqual({
      address,
      lt: '48756545000001',
      hash,
      to_lt: '5',
      limit: '3',
    })
  })

  it('repeats the name of a list', async () => {
    const { v2, requests } = await start(readFixture('getLibraries.cpp.json'))
    await v2.getLibraries({ libraries: [hash, HEX] })
    expect(requests[0]?.query.getAll('libraries')).toEqual([hash, hash])
  })

  it('sends JSON where the endpoint accepts it, with only the passed parameters', async () => {
    const { v2, requests } = await start(readFixture('estimateFee.cpp.json'))
    await v2.estimateFee({ address, body: boc, init_code: undefined, ignore_chksig: false })
    expect(requests[0]).toMatchObject({ method: 'POST', path: '/estimateFee' })
    expect(requests[0]?.body).toEqual({ address, body: boc, ignore_chksig: false })
  })

  it('is not sent with an invalid parameter', async () => {
    const { v2, requests } = await start('{}')
    await expect(v2.getAddressBalance({ address: '0:abc' })).rejects.toThrow('address must be')
    expect(requests).toEqual([])
  })
})

describe('a server that has API v2 at its root', () => {
  it.each([
    ['/jsonRPC', false, '/getAddressBalance'],
    ['/jsonRPC', true, '/jsonRPC'],
    ['/prefix/jsonRPC/', false, '/prefix/getAddressBalance'],
    ['/prefix', false, '/prefix/api/v2/getAddressBalance'],
    ['/api/v2/jsonRPC', false, '/api/v2/getAddressBalance'],
  ])('is configured by its URL %s (jsonRpc %s)', async (entrance, jsonRpc, path) => {
    const urls: string[] = []
    const { baseUrl } = await startMockApi(() => '{"ok":true,"result":"12"}')
    const hooks = { request: ({ url }: { url: string }) => void urls.push(url) }
    const v2 = createV2Client({ baseUrl: baseUrl + entrance, rps: Infinity, jsonRpc, hooks })
    expect(await v2.getAddressBalance({ address })).toBe(12n)
    expect(urls.map((url) => new URL(url).pathname)).toEqual([path])
  })

  it('is suggested when no path is found', async () => {
    const { baseUrl } = await startMockApi(() => ({
      status: 404,
      body: '{"detail":"Not Found"}',
    }))
    const v2 = createV2Client({ baseUrl, rps: Infinity })
    await expect(v2.getAddressBalance({ address })).rejects.toThrow(
      'check the path and baseUrl (404: Not Found)',
    )
  })
})

describe('the option jsonRpc', () => {
  it('sends the same calls through one path, with numbers and long integers in the format of both servers', async () => {
    const { v2, requests } = await start(readFixture('getTransactions.captured-json-rpc.json'), {
      jsonRpc: true,
    })
    const list = await v2.getTransactions({ address, limit: 1, lt: 22_014_131_000_001n, hash })
    expect(list[0]?.transaction_id.lt).toBe(22_014_131_000_001n)
    expect(requests[0]).toMatchObject({ method: 'POST', path: '/jsonRPC' })
    expect(requests[0]?.body).toEqual({
      jsonrpc: '2.0',
      id: '1',
      method: 'getTransactions',
      params: { address, limit: 1, lt: '22014131000001', hash },
    })
  })

  it('sends an empty object without parameters', async () => {
    const { v2, requests } = await start(readFixture('getMasterchainInfo.cpp.json'), {
      jsonRpc: true,
    })
    await v2.getMasterchainInfo()
    expect(requests[0]?.body).toMatchObject({ method: 'getMasterchainInfo', params: {} })
  })

  it('assigns a response to its request, whatever its id', async () => {
    const text = readFixture('getMasterchainInfo.captured-json-rpc.json')
    const { baseUrl } = await startMockApi(({ body }) => {
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
    'assigns a response to its request, whatever the id: %s',
    async (id) => {
      const { v2 } = await start(`{${id}"jsonrpc":"2.0","ok":true,"result":"12"}`, {
        jsonRpc: true,
      })
      expect(await v2.getAddressBalance({ address })).toBe(12n)
      expect(await v2.jsonRPC({ method: 'getAddressBalance', params: { address } })).toBe('12')
    },
  )

  it('accepts a number as the id, and sends a string', async () => {
    const { v2, requests } = await start('{"ok":true,"result":"12"}')
    await v2.jsonRPC({ method: 'getAddressBalance', id: 7, params: { address } })
    expect(requests[0]?.body).toMatchObject({ id: '7' })
  })

  it('does not change the method jsonRPC', async () => {
    const { v2, requests } = await start('{"ok":true,"result":{"big":12345678901234567890}}', {
      jsonRpc: true,
    })
    const call = { method: 'getNew', params: { a: 1 }, id: 'mine' }
    expect(await v2.jsonRPC(call)).toEqual({ big: '12345678901234567890' })
    expect(requests[0]?.body).toEqual({
      jsonrpc: '2.0',
      id: 'mine',
      method: 'getNew',
      params: { a: 1 },
    })
  })
})

describe('a list that is too long for a URL', () => {
  const libraries = (count: number) =>
    Array.from({ length: count }, (_, index) => index.toString(16).padStart(64, '0'))

  it('is sent through /jsonRPC', async () => {
    const { v2, requests } = await start(readFixture('getLibraries.cpp.json'))
    const { result } = await v2.getLibraries({ libraries: libraries(500) })
    expect(result).toHaveLength(1)
    expect(requests[0]).toMatchObject({ method: 'POST', path: '/jsonRPC' })
    const sent = { method: 'getLibraries', params: { libraries: { length: 500 } } }
    expect(requests[0]?.body).toMatchObject(sent)
  })

  it.each([1, 50, 100, 130])('stays in the URL while that is short: %i', async (count) => {
    const { v2, requests } = await start(readFixture('getLibraries.cpp.json'))
    await v2.getLibraries({ libraries: libraries(count) })
    const [one] = requests
    expect(one?.method).toBe(count <= 100 ? 'GET' : 'POST')
    expect(String(one?.query).length).toBeLessThan(7000)
  })
})

describe('the option requestId', () => {
  const echo = (sent: string): string => `{"ok":true,"result":{"@type":"ok"},"@extra":"${sent}"}`

  it('is sent as @extra beside the parameters of a POST request, and returned as received', async () => {
    const { v2, requests } = await start(echo('their own'))
    let meta: V2ResponseMeta | undefined
    await v2.sendBoc({ boc }, { requestId: 'payout-17', onResponse: (told) => (meta = told) })
    expect(requests[0]?.body).toEqual({ boc, '@extra': 'payout-17' })
    expect(meta?.requestId).toBe('their own')
  })

  it('is sent beside the method of a JSON-RPC request', async () => {
    const { v2, requests } = await start(echo('payout-17'), { jsonRpc: true })
    await v2.sendBoc({ boc }, { requestId: 'payout-17' })
    expect(requests[0]?.body).toEqual({
      jsonrpc: '2.0',
      id: '1',
      method: 'sendBoc',
      params: { boc },
      '@extra': 'payout-17',
    })
    await v2.jsonRPC({ method: 'sendBoc', params: { boc } }, { requestId: 'payout-18' })
    expect(requests[1]?.body).toMatchObject({ params: { boc }, '@extra': 'payout-18' })
  })

  it('is sent in the query of a GET request, and keeps reads apart', async () => {
    const { v2, requests } = await start('{"ok":true,"result":"12"}')
    const ask = (requestId: string) => v2.getAddressBalance({ address }, { requestId })
    await Promise.all([ask('1'), ask('2')])
    const sent = new Set(requests.map(({ query }) => query.get('@extra')))
    expect(sent).toEqual(new Set(['1', '2']))
  })

  it('is sent with a request for any path', async () => {
    const { v2, requests } = await start('{"ok":true,"result":null}')
    const params = { one: 1 }
    await v2.request({ method: 'POST', path: '/runNew', params }, { requestId: 'a' })
    await v2.request({ path: '/getNew', params }, { requestId: 'b' })
    expect(requests[0]?.body).toEqual({ one: 1, '@extra': 'a' })
    expect(String(requests[1]?.query)).toBe('%40extra=b&one=1')
  })

  it('is in the details of an error, as received', async () => {
    const { v2 } = await start('{"ok":false,"error":"no","code":409,"@extra":"payout-17"}')
    await expect(v2.sendBoc({ boc }, { requestId: 'payout-17' })).rejects.toMatchObject({
      details: { requestId: 'payout-17' },
    })
  })
})

describe('a response', () => {
  async function metaOf(text: string): Promise<V2ResponseMeta | undefined> {
    const { v2 } = await start(text)
    let meta: V2ResponseMeta | undefined
    await v2.getMasterchainInfo({}, { onResponse: (told) => (meta = told) })
    return meta
  }

  it('has the @extra of the C++ server', async () => {
    const meta = await metaOf(readFixture('getMasterchainInfo.cpp.json'))
    expect(meta).toMatchObject({ requestId: '1784332062:_:0.004:c', status: 200, attempts: 1 })
  })

  it('has the @extra of the Python server', async () => {
    const meta = await metaOf(readFixture('getMasterchainInfo.captured-json-rpc.json'))
    expect(meta?.requestId).toBe('1716788421.2859814:4:0.024843195107998484')
  })

  it('is shared by identical concurrent reads, each with its own objects', async () => {
    const { v2, requests } = await start(readFixture('getMasterchainInfo.cpp.json'))
    const [one, other] = await Promise.all([v2.getMasterchainInfo(), v2.getMasterchainInfo()])
    expect(requests).toHaveLength(1)
    expect(one).toEqual(other)
    expect(one.last).not.toBe(other.last)
  })

  it('is not shared by two sends', async () => {
    const { v2, requests } = await start(readFixture('sendBoc.cpp.json'))
    await Promise.all([v2.sendBoc({ boc }), v2.sendBoc({ boc })])
    expect(requests).toHaveLength(2)
  })

  it('is accepted with a value that its enumeration does not have', async () => {
    const text = readFixture('getAddressInformation.cpp.json').replace('"active"', '"sleeping"')
    const { v2 } = await start(text)
    expect((await v2.getAddressInformation({ address })).state).toBe('sleeping')
  })
})

describe('a request outside the table', () => {
  it('returns the result without losing a digit', async () => {
    const { v2, requests } = await start('{"ok":true,"result":{"id":9007199254740993,"n":5}}')
    const result = await v2.request({
      path: '/getBrandNew',
      params: { a: 1n, b: true, c: ['x', 'y+'], d: undefined },
    })
    expect(result).toEqual({ id: '9007199254740993', n: 5 })
    expect(requests[0]?.path).toBe('/getBrandNew')
    expect(requests[0]?.query.toString()).toBe('a=1&b=true&c=x&c=y%2B')
  })

  it('sends a bigint as its digits, in a query, in a body and through /jsonRPC', async () => {
    const { v2, requests } = await start('{"ok":true,"result":null}')
    const seqno = 9_223_372_036_854_775_807n
    await v2.request({ path: '/getNew', params: { seqno } })
    await v2.request({ method: 'POST', path: '/runNew', params: { deep: [{ seqno }] } })
    await v2.jsonRPC({ method: 'getNew', params: { seqno } })
    expect(requests[0]?.query.get('seqno')).toBe('9223372036854775807')
    expect(requests[1]?.body).toEqual({ deep: [{ seqno: '9223372036854775807' }] })
    expect(requests[2]?.body).toMatchObject({ params: { seqno: '9223372036854775807' } })
  })

  it('posts JSON', async () => {
    const { v2, requests } = await start('{"ok":true,"result":null}')
    await v2.request({ method: 'POST', path: '/runNew', params: { stack: [['num', '1']] } })
    expect(requests[0]).toMatchObject({ method: 'POST', body: { stack: [['num', '1']] } })
  })

  it('rejects as the methods do', async () => {
    const { v2 } = await start('{"ok":false,"error":"Not Found","code":404,"@extra":"_"}')
    await expect(v2.request({ path: '/getNothing' })).rejects.toMatchObject({
      code: 'ERR_TONPLUG_UNKNOWN_METHOD',
      endpoint: 'getNothing',
    })
  })

  it.each(['getX', '/getX?a=1', 'https://example.org/', ''])(
    'rejects the path %j',
    async (path) => {
      const { v2, requests } = await start('{}')
      await expect(v2.request({ path })).rejects.toHaveProperty(
        'code',
        'ERR_TONPLUG_INVALID_PARAMS',
      )
      expect(requests).toEqual([])
    },
  )
})
