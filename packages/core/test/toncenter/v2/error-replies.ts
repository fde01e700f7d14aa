import { createV2Client } from '../../../src/toncenter/v2/client.js'
import { startMockApi, type Reply } from '@tonplug/test-support/mock-api'
import { readFixture } from './fixtures.js'

const address = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'

export const EXTRA = '1784332062:_:0.004:c'

/** An error of the C++ server. */
export function cpp(code: number, error: string): Reply {
  return { status: code, body: JSON.stringify({ ok: false, error, code, '@extra': EXTRA }) }
}

/** An error of the Python server. */
function python(code: number, error: string): Reply {
  return { status: code, body: JSON.stringify({ ok: false, error, code }) }
}

/** A client that tries nothing again, of a server that gives this reply to everything. */
export async function clientFor(reply: Reply, options: { jsonRpc?: boolean } = {}) {
  const { baseUrl, requests } = await startMockApi(() => reply)
  const v2 = createV2Client({ baseUrl, rps: Infinity, retry: { maxAttempts: 1 }, ...options })
  return { v2, requests }
}

/** The methods whose errors are distinguished. */
export type Call =
  | 'getTransactions'
  | 'getShards'
  | 'sendBoc'
  | 'sendBocReturnHashNoError'
  | 'estimateFee'
  | 'runGetMethod'

/** A reply, and the error that it is. */
export interface ErrorRow {
  what: string
  reply: Reply
  call?: Call
  code: string
  retryable: boolean
}

export const html = { 'content-type': 'text/html' }
/** Error responses of both servers, and of proxies in front of them. */
export const errorRows: readonly ErrorRow[] = [
  {
    what: '401',
    reply: cpp(401, 'API key does not exist'),
    code: 'ERR_TONPLUG_AUTHENTICATION',
    retryable: false,
  },
  {
    what: '401 in HTML',
    reply: { status: 401, headers: html, body: '<h1>401</h1>' },
    code: 'ERR_TONPLUG_AUTHENTICATION',
    retryable: false,
  },
  ...[200, 401, 403].flatMap((status) => [
    {
      what: `no key under ${status}`,
      reply: { status, body: '{"ok":false,"error":"API key is required"}' },
      code: 'ERR_TONPLUG_AUTHENTICATION',
      retryable: false,
    },
    {
      what: `another network under ${status}`,
      reply: { status, body: '{"ok":false,"error":"Wrong network"}' },
      code: 'ERR_TONPLUG_WRONG_NETWORK',
      retryable: false,
    },
  ]),
  {
    what: '403 of the network',
    reply: cpp(403, 'Network not allowed'),
    code: 'ERR_TONPLUG_WRONG_NETWORK',
    retryable: false,
  },
  {
    what: '403 for another reason',
    reply: cpp(403, 'API key is blocked'),
    code: 'ERR_TONPLUG_AUTHENTICATION',
    retryable: false,
  },
  {
    what: '403 of a proxy',
    reply: { status: 403, headers: html, body: '<h1>Forbidden</h1>' },
    code: 'ERR_TONPLUG_HTTP_STATUS',
    retryable: false,
  },
  {
    what: '404 of a transaction',
    reply: cpp(404, 'transaction was not found'),
    code: 'ERR_TONPLUG_NOT_FOUND',
    retryable: false,
  },
  {
    what: '404 of a path',
    reply: { status: 404, body: '{"ok":false,"error":"Not Found","code":404,"@extra":"_"}' },
    code: 'ERR_TONPLUG_UNKNOWN_METHOD',
    retryable: false,
  },
  {
    what: 'no transaction as an exception',
    reply: python(503, 'Tx not found'),
    code: 'ERR_TONPLUG_NOT_FOUND',
    retryable: false,
  },
  {
    what: 'a block that is not there',
    reply: cpp(
      500,
      'LITE_SERVER_UNKNOWN: cannot find block (-1,8000000000000000) seqno=2399: seqno not in db',
    ),
    code: 'ERR_TONPLUG_NOT_FOUND',
    retryable: false,
  },
  {
    what: 'a block that is not there, with other words',
    reply: python(500, 'LITE_SERVER_UNKNOWN: ltdb: block not found'),
    code: 'ERR_TONPLUG_NOT_FOUND',
    retryable: false,
  },
  {
    what: 'a block that is not there yet',
    reply: cpp(
      500,
      'LITE_SERVER_NOTREADY: cannot find block (-1,8000000000000000) seqno=2399: seqno not in db',
    ),
    code: 'ERR_TONPLUG_LITESERVER_NOT_READY',
    retryable: true,
  },
  {
    what: 'a block that is not there yet, with other words',
    reply: python(500, 'LITE_SERVER_NOTREADY: ltdb: block not found'),
    code: 'ERR_TONPLUG_LITESERVER_NOT_READY',
    retryable: true,
  },
  {
    what: 'a block that a node behind does not have yet',
    reply: cpp(
      500,
      'LITE_SERVER_NOTREADY: block (0,8000000000000000,42987922) is not in db (possibly out of sync: shard_client_seqno=37302599 ls_seqno=37302611)',
    ),
    code: 'ERR_TONPLUG_LITESERVER_NOT_READY',
    retryable: true,
  },
  {
    what: '405',
    reply: cpp(405, 'unsupported http method: PUT'),
    code: 'ERR_TONPLUG_VALIDATION',
    retryable: false,
  },
  {
    what: '409 of the C++ server',
    reply: cpp(409, `Smart contract ${address} is not Jetton or NFT`),
    code: 'ERR_TONPLUG_CONFLICT',
    retryable: false,
  },
  {
    what: '409 of the Python server',
    reply: python(409, 'Smart contract is not Jetton or NFT'),
    code: 'ERR_TONPLUG_CONFLICT',
    retryable: false,
  },
  {
    what: '416',
    reply: { status: 416, body: readFixture('error.416.incorrect-address.captured.json') },
    code: 'ERR_TONPLUG_VALIDATION',
    retryable: false,
  },
  {
    what: '422',
    reply: cpp(422, 'failed to validate request: seqno should be positive'),
    code: 'ERR_TONPLUG_VALIDATION',
    retryable: false,
  },
  {
    what: '422 of a method',
    reply: { status: 422, body: '{"ok":false,"error":"Unknown method","id":"1","jsonrpc":"2.0"}' },
    code: 'ERR_TONPLUG_UNKNOWN_METHOD',
    retryable: false,
  },
  {
    what: '400',
    reply: cpp(400, 'stack parse error'),
    call: 'runGetMethod',
    code: 'ERR_TONPLUG_VALIDATION',
    retryable: false,
  },
  {
    what: '429 as recorded',
    reply: { status: 429, body: readFixture('error.429.rate-limit.captured.json') },
    code: 'ERR_TONPLUG_RATE_LIMIT',
    retryable: true,
  },
  {
    what: '429 as described',
    reply: cpp(429, 'Ratelimit exceeded'),
    code: 'ERR_TONPLUG_RATE_LIMIT',
    retryable: true,
  },
  {
    what: '429 of a proxy',
    reply: { status: 429, headers: html, body: '<h1>slow down</h1>' },
    code: 'ERR_TONPLUG_RATE_LIMIT',
    retryable: true,
  },
  {
    what: '429 under HTTP 200',
    reply: { body: '{"ok":false,"result":"Ratelimit exceed","code":429}' },
    code: 'ERR_TONPLUG_RATE_LIMIT',
    retryable: true,
  },
  {
    what: 'a rate limit of a key',
    reply: { body: '{"ok":false,"error":"API key rate limit exceeded"}' },
    code: 'ERR_TONPLUG_RATE_LIMIT',
    retryable: true,
  },
  ...[200, 403].map((status) => ({
    what: `a rate limit that only its message shows, under ${status}`,
    reply: { status, body: '{"ok":false,"result":"Ratelimit exceed"}' },
    code: 'ERR_TONPLUG_RATE_LIMIT',
    retryable: true,
  })),
  {
    what: 'liteserver not ready',
    reply: cpp(500, 'LITE_SERVER_NOTREADY: block is not applied'),
    code: 'ERR_TONPLUG_LITESERVER_NOT_READY',
    retryable: true,
  },
  {
    what: 'liteserver network',
    reply: cpp(504, 'LITE_SERVER_NETWORK timeout'),
    code: 'ERR_TONPLUG_LITESERVER_NOT_READY',
    retryable: true,
  },
  {
    what: 'liteserver timeout',
    reply: python(504, 'Liteserver timeout'),
    code: 'ERR_TONPLUG_LITESERVER_NOT_READY',
    retryable: true,
  },
  {
    what: 'history',
    reply: cpp(
      500,
      'LITE_SERVER_UNKNOWN: cannot locate transaction in block with specified logical time',
    ),
    code: 'ERR_TONPLUG_HISTORY_NOT_AVAILABLE',
    retryable: false,
  },
  {
    what: 'history with other words',
    reply: python(500, 'LITE_SERVER_UNKNOWN: cannot compute block with specified transaction'),
    code: 'ERR_TONPLUG_HISTORY_NOT_AVAILABLE',
    retryable: false,
  },
  {
    what: 'history in a block that is gone',
    reply: cpp(
      500,
      'LITE_SERVER_UNKNOWN: cannot compute block with specified transaction: cannot find block (0,ca6e321c7cce9ece) lt=57674065000003: lt not in db',
    ),
    code: 'ERR_TONPLUG_HISTORY_NOT_AVAILABLE',
    retryable: false,
  },
  ...['unable to load', 'cannot load', 'failed to load'].flatMap((verb) => [
    {
      what: `a block that a node ${verb}`,
      reply: cpp(
        500,
        `LITE_SERVER_UNKNOWN: ${verb} block (0,8000000000000000,2399):AB:CD : block is not in db`,
      ),
      code: 'ERR_TONPLUG_HISTORY_NOT_AVAILABLE',
      retryable: false,
    },
    {
      what: `a block that a node is not ready for: ${verb}`,
      reply: cpp(500, `LITE_SERVER_NOTREADY: ${verb} block (0,8000000000000000,2399) : not in db`),
      code: 'ERR_TONPLUG_LITESERVER_NOT_READY',
      retryable: true,
    },
  ]),
  {
    what: 'history, from a node that calls it not ready',
    reply: cpp(
      500,
      'LITE_SERVER_NOTREADY: cannot compute block with specified transaction: lt not in db',
    ),
    code: 'ERR_TONPLUG_HISTORY_NOT_AVAILABLE',
    retryable: false,
  },
  ...[500, 503].map((status) => ({
    what: `no liteserver under ${status}`,
    reply: python(status, 'No working liteservers'),
    code: 'ERR_TONPLUG_LITESERVER_NOT_READY',
    retryable: true,
  })),
  ...[400, 404, 503].map((status) => ({
    what: `liteserver not ready under ${status}`,
    reply: cpp(status, 'LITE_SERVER_NOTREADY: block is not applied'),
    code: 'ERR_TONPLUG_LITESERVER_NOT_READY',
    retryable: true,
  })),
  {
    what: 'a rejected message',
    reply: { status: 500, body: readFixture('error.500.message-rejected.captured.json') },
    call: 'sendBoc',
    code: 'ERR_TONPLUG_MESSAGE_REJECTED',
    retryable: false,
  },
  {
    what: 'a rejected message with 400',
    reply: cpp(400, 'no such account'),
    call: 'sendBocReturnHashNoError',
    code: 'ERR_TONPLUG_MESSAGE_REJECTED',
    retryable: false,
  },
  {
    what: 'a contract that fails in an estimate',
    reply: cpp(500, 'Exit code 33 != 0'),
    call: 'estimateFee',
    code: 'ERR_TONPLUG_MESSAGE_REJECTED',
    retryable: false,
  },
  ...refusedSends(),
  {
    what: 'an exit code that is success',
    reply: cpp(500, 'Exit code 0 != 1'),
    call: 'estimateFee',
    code: 'ERR_TONPLUG_SERVER',
    retryable: false,
  },
  {
    what: 'a timeout of the method that answers 400 for everything',
    reply: cpp(400, 'LITE_SERVER_NETWORK timeout'),
    call: 'sendBocReturnHashNoError',
    code: 'ERR_TONPLUG_LITESERVER_NOT_READY',
    retryable: true,
  },
  {
    what: '422 of a send',
    reply: cpp(422, 'failed to parse post request: cannot parse boc'),
    call: 'sendBoc',
    code: 'ERR_TONPLUG_VALIDATION',
    retryable: false,
  },
  {
    what: '500',
    reply: cpp(500, 'LITE_SERVER_UNKNOWN: something else'),
    code: 'ERR_TONPLUG_SERVER',
    retryable: false,
  },
  {
    what: '503 of the Python server',
    reply: python(503, 'list index out of range'),
    code: 'ERR_TONPLUG_SERVER',
    retryable: true,
  },
  {
    what: '502 in HTML',
    reply: { status: 502, headers: html, body: '<html>Bad Gateway</html>' },
    code: 'ERR_TONPLUG_HTTP_STATUS',
    retryable: true,
  },
  {
    what: '502 in HTML that speaks of a rejection',
    reply: { status: 502, headers: html, body: '<p>rejected: exit code 2, not accepted</p>' },
    call: 'sendBoc',
    code: 'ERR_TONPLUG_HTTP_STATUS',
    retryable: true,
  },
  {
    what: '503 of a gateway that speaks of a rejection',
    reply: { status: 503, body: '{"message":"external message was not accepted"}' },
    call: 'sendBoc',
    code: 'ERR_TONPLUG_SERVER',
    retryable: true,
  },
  {
    what: 'a rejection of something else',
    reply: python(503, 'connection rejected'),
    code: 'ERR_TONPLUG_SERVER',
    retryable: true,
  },
  {
    what: '504, empty',
    reply: { status: 504, body: '' },
    code: 'ERR_TONPLUG_HTTP_STATUS',
    retryable: true,
  },
  {
    what: '533',
    reply: cpp(533, 'Result stack depth >= 100'),
    call: 'runGetMethod',
    code: 'ERR_TONPLUG_SERVER',
    retryable: false,
  },
  {
    what: '542 of a stack entry',
    reply: cpp(542, 'unsupported stack entry type: tvm.Builder'),
    call: 'runGetMethod',
    code: 'ERR_TONPLUG_VALIDATION',
    retryable: false,
  },
  ...[
    'unsupported stack element type',
    'Unsupported type of element in the stack: Builder',
    'tvm stack: unsupported entry',
  ].map((text) => ({
    what: `542: ${text}`,
    reply: cpp(542, text),
    call: 'runGetMethod' as const,
    code: 'ERR_TONPLUG_VALIDATION',
    retryable: false,
  })),
  ...[501, 505].map((status) => ({
    what: `${status}`,
    reply: cpp(status, 'not supported'),
    code: 'ERR_TONPLUG_SERVER',
    retryable: false,
  })),
  {
    what: '500 of a framework',
    reply: { status: 500, body: '{"detail":"Internal Server Error"}' },
    code: 'ERR_TONPLUG_SERVER',
    retryable: false,
  },
  {
    what: '500 of a framework that quotes the node',
    reply: { status: 500, body: '{"detail":"LITE_SERVER_NOTREADY: block is not applied"}' },
    code: 'ERR_TONPLUG_LITESERVER_NOT_READY',
    retryable: true,
  },
  {
    what: '422 of a framework',
    reply: { status: 422, body: '{"detail":[{"loc":["query","limit"],"msg":"too large"}]}' },
    code: 'ERR_TONPLUG_VALIDATION',
    retryable: false,
  },
  {
    what: 'JSON under HTTP 200 that breaks off',
    reply: { body: '{"ok":true,"result":[{"@type":"ext.tra' },
    code: 'ERR_TONPLUG_HTTP_STATUS',
    retryable: true,
  },
  {
    what: '425',
    reply: cpp(425, 'Too Early'),
    code: 'ERR_TONPLUG_SERVER',
    retryable: true,
  },
  {
    what: '542',
    reply: cpp(542, 'liteserver query failed'),
    code: 'ERR_TONPLUG_LITESERVER_NOT_READY',
    retryable: true,
  },
  {
    what: 'ok: false under HTTP 200',
    reply: { body: '{"ok":false,"error":"Smart contract is not Jetton or NFT","code":409}' },
    code: 'ERR_TONPLUG_CONFLICT',
    retryable: false,
  },
  {
    what: 'a code in digits',
    reply: { body: '{"ok":false,"error":"Smart contract is not Jetton or NFT","code":"409"}' },
    code: 'ERR_TONPLUG_CONFLICT',
    retryable: false,
  },
  {
    what: '429 in digits under HTTP 200',
    reply: { body: '{"ok":false,"result":"Ratelimit exceed","code":"429"}' },
    code: 'ERR_TONPLUG_RATE_LIMIT',
    retryable: true,
  },
  {
    what: 'ok: false without a code',
    reply: { body: '{"ok":false,"error":"boom"}' },
    code: 'ERR_TONPLUG_SERVER',
    retryable: false,
  },
  {
    what: 'ok: true under HTTP 500',
    reply: { status: 500, body: '{"ok":true,"result":[]}' },
    code: 'ERR_TONPLUG_SERVER',
    retryable: false,
  },
  {
    what: 'HTML under HTTP 200',
    reply: { headers: html, body: '<html>hello</html>' },
    code: 'ERR_TONPLUG_HTTP_STATUS',
    retryable: false,
  },
  {
    what: 'other JSON',
    reply: { body: '{"status":"fine"}' },
    code: 'ERR_TONPLUG_RESPONSE_SHAPE',
    retryable: false,
  },
  {
    what: 'no result',
    reply: { body: '{"ok":true}' },
    code: 'ERR_TONPLUG_RESPONSE_SHAPE',
    retryable: false,
  },
  {
    what: 'a string in result',
    reply: { status: 403, body: '{"ok":false,"result":"Network not allowed","code":403}' },
    code: 'ERR_TONPLUG_WRONG_NETWORK',
    retryable: false,
  },
  {
    what: 'a gateway with its own words',
    reply: { status: 404, body: '{"message":"no Route matched"}' },
    code: 'ERR_TONPLUG_UNKNOWN_METHOD',
    retryable: false,
  },
]

/** Messages of nodes, tonlib and servers for a message that they reject, now or permanently. */
function refusedSends(): ErrorRow[] {
  const APPLY = 'LITE_SERVER_UNKNOWN: cannot apply external message to current state : '
  const about = (code: string, retryable: boolean, texts: string[]): ErrorRow[] =>
    texts.map((text) => ({ what: text, reply: cpp(500, text), call: 'sendBoc', code, retryable }))
  return [
    ...about('ERR_TONPLUG_MESSAGE_REJECTED', false, [
      `${APPLY}Failed to unpack account state`,
      `${APPLY}Too old seqno: msg_seqno=3, wallet_seqno=4`,
      `${APPLY}valid_until is in the past`,
      `${APPLY}External message was not accepted\nexitcode=0, steps=5\nVM Log:\nexecute timeout: not ready`,
      `${APPLY}failed to parse external message cannot deserialize bag-of-cells: invalid header, error 0`,
      'external message too large, rejecting',
      'INVALID_BAG_OF_CELLS: body',
      'Failed to parse BoC',
      'inbound external message rejected by account 3029 before smart-contract execution',
      `${APPLY}too many actions after an external message`,
    ]),
    ...about('ERR_TONPLUG_DUPLICATE_MESSAGE', false, [
      'LITE_SERVER_UNKNOWN: cannot send external message : duplicate message',
      `${APPLY}Duplicate msg_seqno 7`,
    ]),
    ...about('ERR_TONPLUG_LITESERVER_NOT_READY', true, [
      `${APPLY}not ready`,
      `${APPLY}Failed to get account state`,
      `${APPLY}too many external messages to address 0:AB`,
      'too many pending external message checks',
    ]),
  ]
}
