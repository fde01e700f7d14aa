import { describe, expect, it } from 'vitest'
import { isTonplugError } from '../../src/errors/tonplug-error.js'
import { MessageRejectedError } from '../../src/errors/api.js'
import { createV2Client } from '../../src/v2/client.js'
import { startApiServer, type Reply } from './api-server.js'
import { readFixture } from './fixtures.js'

const address = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'
const boc = 'te6cckEBAQEAAgAAAEysuc0='
const EXTRA = '1784332062:_:0.004:c'

/** An error of the C++ server. */
function cpp(code: number, error: string): Reply {
  return { status: code, text: JSON.stringify({ ok: false, error, code, '@extra': EXTRA }) }
}

/** An error of the Python server. */
function python(code: number, error: string): Reply {
  return { status: code, text: JSON.stringify({ ok: false, error, code }) }
}

async function clientFor(reply: Reply, options: { jsonRpc?: boolean } = {}) {
  const { baseUrl, arrived } = await startApiServer(() => reply)
  const v2 = createV2Client({ baseUrl, rps: Infinity, retry: { maxAttempts: 1 }, ...options })
  return { v2, arrived }
}

type Call =
  'getTransactions' | 'sendBoc' | 'sendBocReturnHashNoError' | 'estimateFee' | 'runGetMethod'

async function failureOf(reply: Reply, call: Call, options?: { jsonRpc?: boolean }) {
  const { v2 } = await clientFor(reply, options)
  const calls: Record<Call, () => Promise<unknown>> = {
    getTransactions: () => v2.getTransactions({ address }),
    sendBoc: () => v2.sendBoc({ boc }),
    sendBocReturnHashNoError: () => v2.sendBocReturnHashNoError({ boc }),
    estimateFee: () => v2.estimateFee({ address, body: boc }),
    runGetMethod: () => v2.runGetMethod({ address, method: 'seqno', stack: [] }),
  }
  const error: unknown = await calls[call]().then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!isTonplugError(error)) throw new TypeError(`not an error of tonplug: ${String(error)}`)
  return error
}

interface Row {
  what: string
  reply: Reply
  call?: Call
  name: string
  retryable: boolean
}

const html = { 'content-type': 'text/html' }
const rows: Row[] = [
  {
    what: '401',
    reply: cpp(401, 'API key does not exist'),
    name: 'AuthenticationError',
    retryable: false,
  },
  {
    what: '401 in HTML',
    reply: { status: 401, headers: html, text: '<h1>401</h1>' },
    name: 'AuthenticationError',
    retryable: false,
  },
  {
    what: '403 of the network',
    reply: cpp(403, 'Network not allowed'),
    name: 'WrongNetworkError',
    retryable: false,
  },
  {
    what: '403 for another reason',
    reply: cpp(403, 'API key is blocked'),
    name: 'AuthenticationError',
    retryable: false,
  },
  {
    what: '403 of a proxy',
    reply: { status: 403, headers: html, text: '<h1>Forbidden</h1>' },
    name: 'HttpStatusError',
    retryable: false,
  },
  {
    what: '404 of a transaction',
    reply: cpp(404, 'transaction was not found'),
    name: 'NotFoundError',
    retryable: false,
  },
  {
    what: '404 of a path',
    reply: { status: 404, text: '{"ok":false,"error":"Not Found","code":404,"@extra":"_"}' },
    name: 'NotFoundError',
    retryable: false,
  },
  {
    what: 'no transaction as an exception',
    reply: python(503, 'Tx not found'),
    name: 'NotFoundError',
    retryable: false,
  },
  {
    what: '405',
    reply: cpp(405, 'unsupported http method: PUT'),
    name: 'ValidationError',
    retryable: false,
  },
  {
    what: '409 of the C++ server',
    reply: cpp(409, `Smart contract ${address} is not Jetton or NFT`),
    name: 'ConflictError',
    retryable: false,
  },
  {
    what: '409 of the Python server',
    reply: python(409, 'Smart contract is not Jetton or NFT'),
    name: 'ConflictError',
    retryable: false,
  },
  {
    what: '416',
    reply: { status: 416, text: readFixture('error.416.incorrect-address.captured.json') },
    name: 'ValidationError',
    retryable: false,
  },
  {
    what: '422',
    reply: cpp(422, 'failed to validate request: seqno should be positive'),
    name: 'ValidationError',
    retryable: false,
  },
  {
    what: '422 without code',
    reply: { status: 422, text: '{"ok":false,"error":"Unknown method","id":"1","jsonrpc":"2.0"}' },
    name: 'ValidationError',
    retryable: false,
  },
  {
    what: '400',
    reply: cpp(400, 'stack parse error'),
    call: 'runGetMethod',
    name: 'ValidationError',
    retryable: false,
  },
  {
    what: '429 as recorded',
    reply: { status: 429, text: readFixture('error.429.rate-limit.captured.json') },
    name: 'RateLimitError',
    retryable: true,
  },
  {
    what: '429 as described',
    reply: cpp(429, 'Ratelimit exceeded'),
    name: 'RateLimitError',
    retryable: true,
  },
  {
    what: '429 of a proxy',
    reply: { status: 429, headers: html, text: '<h1>slow down</h1>' },
    name: 'RateLimitError',
    retryable: true,
  },
  {
    what: '429 under HTTP 200',
    reply: { text: '{"ok":false,"result":"Ratelimit exceed","code":429}' },
    name: 'RateLimitError',
    retryable: true,
  },
  {
    what: 'liteserver not ready',
    reply: cpp(500, 'LITE_SERVER_NOTREADY: block is not applied'),
    name: 'LiteserverNotReadyError',
    retryable: true,
  },
  {
    what: 'liteserver network',
    reply: cpp(504, 'LITE_SERVER_NETWORK timeout'),
    name: 'LiteserverNotReadyError',
    retryable: true,
  },
  {
    what: 'liteserver timeout',
    reply: python(504, 'Liteserver timeout'),
    name: 'LiteserverNotReadyError',
    retryable: true,
  },
  {
    what: 'history',
    reply: cpp(
      500,
      'LITE_SERVER_UNKNOWN: cannot locate transaction in block with specified logical time',
    ),
    name: 'HistoryNotAvailableError',
    retryable: false,
  },
  {
    what: 'history by another text',
    reply: python(500, 'LITE_SERVER_UNKNOWN: cannot compute block with specified transaction'),
    name: 'HistoryNotAvailableError',
    retryable: false,
  },
  {
    what: 'a rejected message',
    reply: { status: 500, text: readFixture('error.500.message-rejected.captured.json') },
    call: 'sendBoc',
    name: 'MessageRejectedError',
    retryable: false,
  },
  {
    what: 'a rejected message with 400',
    reply: cpp(400, 'no such account'),
    call: 'sendBocReturnHashNoError',
    name: 'MessageRejectedError',
    retryable: false,
  },
  {
    what: 'a contract that fails in an estimate',
    reply: cpp(500, 'Exit code 33 != 0'),
    call: 'estimateFee',
    name: 'MessageRejectedError',
    retryable: false,
  },
  {
    what: '500',
    reply: cpp(500, 'LITE_SERVER_UNKNOWN: something else'),
    name: 'ServerError',
    retryable: false,
  },
  {
    what: '503 of the Python server',
    reply: python(503, 'list index out of range'),
    name: 'ServerError',
    retryable: true,
  },
  {
    what: '502 in HTML',
    reply: { status: 502, headers: html, text: '<html>Bad Gateway</html>' },
    name: 'HttpStatusError',
    retryable: true,
  },
  {
    what: '504, empty',
    reply: { status: 504, text: '' },
    name: 'HttpStatusError',
    retryable: true,
  },
  {
    what: '533',
    reply: cpp(533, 'Result stack depth >= 100'),
    call: 'runGetMethod',
    name: 'ServerError',
    retryable: false,
  },
  {
    what: '542 of a stack entry',
    reply: cpp(542, 'unsupported stack entry type: tvm.Builder'),
    call: 'runGetMethod',
    name: 'ValidationError',
    retryable: false,
  },
  {
    what: '542',
    reply: cpp(542, 'liteserver query failed'),
    name: 'LiteserverNotReadyError',
    retryable: true,
  },
  {
    what: 'ok: false under HTTP 200',
    reply: { text: '{"ok":false,"error":"Smart contract is not Jetton or NFT","code":409}' },
    name: 'ConflictError',
    retryable: false,
  },
  {
    what: 'ok: false without a code',
    reply: { text: '{"ok":false,"error":"boom"}' },
    name: 'ServerError',
    retryable: false,
  },
  {
    what: 'ok: true under HTTP 500',
    reply: { status: 500, text: '{"ok":true,"result":[]}' },
    name: 'ServerError',
    retryable: false,
  },
  {
    what: 'HTML under HTTP 200',
    reply: { headers: html, text: '<html>hello</html>' },
    name: 'HttpStatusError',
    retryable: false,
  },
  {
    what: 'other JSON',
    reply: { text: '{"status":"fine"}' },
    name: 'ResponseShapeError',
    retryable: false,
  },
  {
    what: 'no result',
    reply: { text: '{"ok":true}' },
    name: 'ResponseShapeError',
    retryable: false,
  },
  {
    what: 'a text in result',
    reply: { status: 403, text: '{"ok":false,"result":"Network not allowed","code":403}' },
    name: 'WrongNetworkError',
    retryable: false,
  },
  {
    what: 'a gateway with its own words',
    reply: { status: 404, text: '{"message":"no Route matched"}' },
    name: 'NotFoundError',
    retryable: false,
  },
]

describe('errors of the API', () => {
  it.each(rows)(
    '$what is a $name',
    async ({ reply, call = 'getTransactions', name, retryable }) => {
      const error = await failureOf(reply, call)
      expect(error).toMatchObject({ name, retryable, endpoint: call, attempts: 1 })
    },
  )

  it.each(rows)(
    '$what is the same through /jsonRPC',
    async ({ reply, call = 'getTransactions', name }) => {
      expect(await failureOf(reply, call, { jsonRpc: true })).toMatchObject({
        name,
        endpoint: call,
      })
    },
  )

  it("keeps the server's text, its status and its @extra", async () => {
    const error = await failureOf(cpp(422, 'failed to validate request: limit'), 'getTransactions')
    expect(error.message).toBe(
      'getTransactions: the server refused the parameters (422: failed to validate request: limit)',
    )
    expect(error.details).toEqual({
      endpoint: 'getTransactions',
      attempts: 1,
      status: 422,
      reason: 'failed to validate request: limit',
      requestId: EXTRA,
    })
  })

  it('takes exit code and log out of a rejection', async () => {
    const text = readFixture('error.500.message-rejected.captured.json')
    const error = await failureOf({ status: 500, text }, 'sendBoc')
    expect(error).toBeInstanceOf(MessageRejectedError)
    const { exitCode, log } = error as MessageRejectedError
    expect(exitCode).toBe(33)
    expect(log).toMatch(/^\.\.\.te NOW\nexecute LEQ\n[^]*terminating vm with exit code 33$/)
    expect(error.message).not.toContain('\n')
  })

  it('says where a malformed answer is wrong', async () => {
    const text = readFixture('getTransactions.cpp.json').replace('"fee": "310130"', '"fee": "1e5"')
    const error = await failureOf({ text }, 'getTransactions')
    expect(error).toMatchObject({ path: 'result[0].fee', retryable: false, attempts: 1 })
    expect(error.message).toBe(
      'getTransactions: result[0].fee of the answer is not an integer in decimal digits',
    )
  })
})

describe("archival: 'auto'", () => {
  const tooOld = cpp(500, 'LITE_SERVER_UNKNOWN: cannot compute block with specified transaction')

  it('asks the archival nodes when the others do not go back far enough', async () => {
    const full = readFixture('getTransactions.cpp.json')
    const { baseUrl, arrived } = await startApiServer(({ query }) =>
      query.get('archival') === 'true' ? full : tooOld,
    )
    const v2 = createV2Client({ baseUrl, rps: Infinity })
    const list = await v2.getTransactions({ address, archival: 'auto' })
    expect(list).toHaveLength(3)
    expect(arrived.map(({ query }) => query.get('archival'))).toEqual([null, 'true'])
  })

  it('asks once when any node answers', async () => {
    const { v2, arrived } = await clientFor({ text: readFixture('getTransactions.cpp.json') })
    await v2.getTransactions({ address, archival: 'auto' })
    expect(arrived).toHaveLength(1)
  })

  it('gives up when the archival nodes do not have it either', async () => {
    const { v2, arrived } = await clientFor(tooOld)
    await expect(v2.getTransactions({ address, archival: 'auto' })).rejects.toHaveProperty(
      'code',
      'ERR_TONPLUG_HISTORY_NOT_AVAILABLE',
    )
    expect(arrived).toHaveLength(2)
  })

  it('is not sent unless asked for', async () => {
    const { v2, arrived } = await clientFor({ text: readFixture('getTransactions.cpp.json') })
    await v2.getTransactions({ address })
    await v2.getTransactions({ address, archival: false })
    expect(arrived.map(({ query }) => query.get('archival'))).toEqual([null, 'false'])
  })
})
