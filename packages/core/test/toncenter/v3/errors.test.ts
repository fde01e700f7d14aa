import { describe, expect, it } from 'vitest'
import { GetMethodError } from '../../../src/toncenter/endpoint/get-method.js'
import { MessageRejectedError } from '../../../src/toncenter/errors/api.js'
import { isTonplugError } from '../../../src/shared/tonplug-error.js'
import { createV3Client } from '../../../src/toncenter/v3/client.js'
import { startMockApi, type Reply } from '@tonplug/test-support/mock-api'
import { readFixture } from '../v2/fixtures.js'

const address = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'
const hash = 'b26/Pw8BYz6VY7RyYB/w2Nf8pKBebsg+H4rT1pH5ZEM='
const boc = 'te6cckEBAQEAAgAAAEysuc0='

/** An error of the index server. */
function index(status: number, error: string): Reply {
  return { status, body: JSON.stringify({ error }) }
}

/** An error of the gateway ahead of it. */
function gateway(code: number, error: string): Reply {
  return { status: code, body: JSON.stringify({ ok: false, code, error }) }
}

const html = { 'content-type': 'text/html' }
const rejection = (
  JSON.parse(readFixture('error.500.message-rejected.captured.json')) as { error: string }
).error

type Call =
  | 'transactions'
  | 'message'
  | 'estimateFee'
  | 'runGetMethod'
  | 'walletInformation'
  | 'decode'
  | 'balanceChanges'
  | 'pendingTraces'

async function failureOf(reply: Reply, call: Call = 'transactions') {
  const { baseUrl, requests } = await startMockApi(() => reply)
  const v3 = createV3Client({ baseUrl, rps: Infinity, retry: { maxAttempts: 1 } })
  const calls: Record<Call, () => Promise<unknown>> = {
    transactions: () => v3.transactions({ account: address }),
    message: () => v3.message({ boc }),
    estimateFee: () => v3.estimateFee({ address, body: boc }),
    runGetMethod: () => v3.runGetMethod({ address, method: 'seqno', stack: [] }),
    walletInformation: () => v3.walletInformation({ address }),
    decode: () => v3.decode({ opcodes: 1 }),
    balanceChanges: () => v3.balanceChanges({ trace_id: hash }),
    pendingTraces: () => v3.pendingTraces({ ext_msg_hash: hash }),
  }
  const error: unknown = await calls[call]().then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!isTonplugError(error)) throw new TypeError(`not an error of tonplug: ${String(error)}`)
  return { error, requests }
}

type Row = [what: string, reply: Reply, code: string, retryable: boolean, call?: Call]

const rows: Row[] = [
  // the gateway
  [
    '401 of the gateway',
    gateway(401, 'API key does not exist'),
    'ERR_TONPLUG_AUTHENTICATION',
    false,
  ],
  [
    '401 of the gateway about a key',
    gateway(401, 'API key is required'),
    'ERR_TONPLUG_AUTHENTICATION',
    false,
  ],
  [
    '401 in HTML',
    { status: 401, headers: html, body: '<h1>401</h1>' },
    'ERR_TONPLUG_AUTHENTICATION',
    false,
  ],
  ['403 of the network', gateway(403, 'Network not allowed'), 'ERR_TONPLUG_WRONG_NETWORK', false],
  ['403 for another reason', gateway(403, 'blocked'), 'ERR_TONPLUG_AUTHENTICATION', false],
  [
    '429 as recorded',
    { status: 429, body: '{"ok":false,"result":"Ratelimit exceed","code":429}' },
    'ERR_TONPLUG_RATE_LIMIT',
    true,
  ],
  ['429 as described', gateway(429, 'Ratelimit exceeded'), 'ERR_TONPLUG_RATE_LIMIT', true],
  [
    '429 in HTML',
    { status: 429, headers: html, body: '<h1>slow down</h1>' },
    'ERR_TONPLUG_RATE_LIMIT',
    true,
  ],
  [
    '429 under HTTP 200',
    { body: '{"ok":false,"result":"Ratelimit exceed","code":429}' },
    'ERR_TONPLUG_RATE_LIMIT',
    true,
  ],
  [
    'a refusal under HTTP 200',
    { body: '{"ok":false,"error":"x","code":403}' },
    'ERR_TONPLUG_AUTHENTICATION',
    false,
  ],
  ['a refusal without a code', { body: '{"ok":false,"error":"x"}' }, 'ERR_TONPLUG_SERVER', false],
  // the index
  ['an error under HTTP 200', index(200, 'boom'), 'ERR_TONPLUG_SERVER', false],
  [
    'an error of a message under HTTP 200',
    index(200, 'boom'),
    'ERR_TONPLUG_SERVER',
    false,
    'message',
  ],
  ['an error of bodies under HTTP 200', index(200, 'boom'), 'ERR_TONPLUG_SERVER', false, 'decode'],
  [
    'an error of a trace under HTTP 200',
    index(200, 'boom'),
    'ERR_TONPLUG_SERVER',
    false,
    'balanceChanges',
  ],
  [
    'an error with a code under HTTP 200',
    { body: '{"code":422,"error":"bad hash"}' },
    'ERR_TONPLUG_VALIDATION',
    false,
    'decode',
  ],
  [
    'a timeout under HTTP 200',
    index(200, 'timeout: context deadline exceeded'),
    'ERR_TONPLUG_SERVER',
    true,
    'balanceChanges',
  ],
  ['401 about a key', index(401, 'API key is required'), 'ERR_TONPLUG_AUTHENTICATION', false],
  ['403 of the index', index(403, 'Network not allowed'), 'ERR_TONPLUG_WRONG_NETWORK', false],
  ['500 of a caller that left', index(500, 'context canceled'), 'ERR_TONPLUG_SERVER', true],
  [
    '500 of a statement that was ended',
    index(500, 'ERROR: canceling statement due to user request (SQLSTATE 57014)'),
    'ERR_TONPLUG_SERVER',
    true,
  ],
  [
    '404 of an unknown path',
    index(404, 'Cannot GET /api/v3/nft/sales'),
    'ERR_TONPLUG_UNKNOWN_METHOD',
    false,
  ],
  [
    '404 of traces',
    index(404, 'masterchain block 5 not found'),
    'ERR_TONPLUG_NOT_FOUND',
    false,
    'pendingTraces',
  ],
  [
    '404 of the gateway',
    { status: 404, body: '{"ok":false,"code":404,"error":"Not Found"}' },
    'ERR_TONPLUG_UNKNOWN_METHOD',
    false,
    'pendingTraces',
  ],
  [
    '401 about a parameter',
    index(401, 'address of account is required'),
    'ERR_TONPLUG_VALIDATION',
    false,
  ],
  [
    '401 about a message',
    index(401, 'boc is required'),
    'ERR_TONPLUG_VALIDATION',
    false,
    'message',
  ],
  [
    '401 of the index for another reason',
    index(401, 'unauthorized'),
    'ERR_TONPLUG_AUTHENTICATION',
    false,
  ],
  [
    '404 of neighbours',
    index(404, 'adjacent transactions not found'),
    'ERR_TONPLUG_NOT_FOUND',
    false,
  ],
  [
    '404 of a block',
    index(404, 'masterchain block 90000000 not found'),
    'ERR_TONPLUG_NOT_FOUND',
    false,
  ],
  ['404 of blocks', index(404, 'blocks not found'), 'ERR_TONPLUG_NOT_FOUND', false],
  ['409', index(409, 'not a wallet'), 'ERR_TONPLUG_CONFLICT', false, 'walletInformation'],
  [
    '400',
    { status: 400, body: '{"code":400,"error":"trace_id or action_id is required"}' },
    'ERR_TONPLUG_VALIDATION',
    false,
  ],
  [
    '422',
    index(422, 'failed to decode: schema: error converting value'),
    'ERR_TONPLUG_VALIDATION',
    false,
  ],
  [
    '422 of a limit',
    index(422, 'limit is not allowed: 5000 > 1000'),
    'ERR_TONPLUG_VALIDATION',
    false,
  ],
  [
    '500 that wraps a limit',
    index(500, 'limit is not allowed: 5000 > 1000'),
    'ERR_TONPLUG_VALIDATION',
    false,
  ],
  [
    '500 that wraps a sort order',
    index(500, 'wrong value for sort parameter'),
    'ERR_TONPLUG_VALIDATION',
    false,
  ],
  [
    '500 that wraps a stack',
    index(500, 'unsupported stack parameter type: tuple'),
    'ERR_TONPLUG_VALIDATION',
    false,
    'runGetMethod',
  ],
  [
    '500 of a timeout',
    index(500, 'timeout: context deadline exceeded'),
    'ERR_TONPLUG_SERVER',
    true,
  ],
  [
    '500 of a timeout of an unexpected kind',
    index(500, 'internal server error: timeout: context deadline exceeded'),
    'ERR_TONPLUG_SERVER',
    true,
  ],
  [
    '422 that wraps a timeout',
    index(422, 'timeout: context deadline exceeded'),
    'ERR_TONPLUG_SERVER',
    true,
  ],
  [
    '500 of a full database',
    index(
      500,
      'failed to connect to `host=db`: FATAL: sorry, too many clients already (SQLSTATE 53300)',
    ),
    'ERR_TONPLUG_SERVER',
    true,
  ],
  [
    '500 of a replica',
    index(500, 'ERROR: canceling statement due to conflict with recovery (SQLSTATE 40001)'),
    'ERR_TONPLUG_SERVER',
    true,
  ],
  [
    '500 of a query',
    index(500, 'ERROR: column "x" does not exist (SQLSTATE 42703)'),
    'ERR_TONPLUG_SERVER',
    false,
  ],
  [
    '500 of an unknown path',
    index(500, 'internal server error: Cannot POST /api/v3/new'),
    'ERR_TONPLUG_UNKNOWN_METHOD',
    false,
  ],
  [
    '500 of a node that was not ready',
    index(500, 'LITE_SERVER_NOTREADY: block is not applied'),
    'ERR_TONPLUG_LITESERVER_NOT_READY',
    true,
    'runGetMethod',
  ],
  [
    '501',
    index(501, 'failed to decode api/v2 stack: unsupported stack entry type: unsupported'),
    'ERR_TONPLUG_SERVER',
    false,
    'runGetMethod',
  ],
  ['a rejected message', index(500, rejection), 'ERR_TONPLUG_MESSAGE_REJECTED', false, 'message'],
  [
    'a rejected message whose log says timeout',
    index(500, `${rejection}\nexecute THROW timeout`),
    'ERR_TONPLUG_MESSAGE_REJECTED',
    false,
    'message',
  ],
  [
    'a message that fails with an exit code',
    index(500, 'exitcode=33, steps=5'),
    'ERR_TONPLUG_MESSAGE_REJECTED',
    false,
    'message',
  ],
  [
    'an estimate that fails with an exit code',
    index(500, 'Exit code 33 != 0'),
    'ERR_TONPLUG_MESSAGE_REJECTED',
    false,
    'estimateFee',
  ],
  // proxies and nonsense
  [
    '502 in HTML',
    { status: 502, headers: html, body: '<h1>Bad Gateway</h1>' },
    'ERR_TONPLUG_HTTP_STATUS',
    true,
  ],
  ['504, empty', { status: 504, body: '' }, 'ERR_TONPLUG_HTTP_STATUS', true],
  [
    '404 in HTML',
    { status: 404, headers: html, body: '<h1>nothing</h1>' },
    'ERR_TONPLUG_HTTP_STATUS',
    false,
  ],
  [
    '404 in plain text',
    { status: 404, headers: { 'content-type': 'text/plain' }, body: 'Not Found' },
    'ERR_TONPLUG_HTTP_STATUS',
    false,
  ],
  [
    '503 in JSON',
    { status: 503, body: '{"message":"no healthy upstream"}' },
    'ERR_TONPLUG_SERVER',
    true,
  ],
  [
    'a redirect',
    { status: 301, headers: { location: '/x' }, body: '' },
    'ERR_TONPLUG_HTTP_STATUS',
    false,
  ],
  [
    'HTML under HTTP 200',
    { headers: html, body: '<html>hello</html>' },
    'ERR_TONPLUG_HTTP_STATUS',
    false,
  ],
  ['other JSON', { body: '{"status":"fine"}' }, 'ERR_TONPLUG_RESPONSE_SHAPE', false],
  ['a list', { body: '[]' }, 'ERR_TONPLUG_RESPONSE_SHAPE', false],
  ['null', { body: 'null' }, 'ERR_TONPLUG_RESPONSE_SHAPE', false],
]

describe('errors of API v3', () => {
  it.each(rows)('have a code: %s', async (_, reply, code, retryable, call = 'transactions') => {
    const { error, requests } = await failureOf(reply, call)
    expect(error).toMatchObject({ code, retryable, endpoint: call, attempts: 1 })
    expect(requests).toHaveLength(1)
  })

  it("keeps the server's message and its status", async () => {
    const { error } = await failureOf(index(500, 'limit is not allowed: 5000 > 1000'))
    expect(error.message).toBe(
      'transactions: the server rejected the parameters (500: limit is not allowed: 5000 > 1000)',
    )
    expect(error.details).toEqual({
      endpoint: 'transactions',
      attempts: 1,
      status: 500,
      reason: 'limit is not allowed: 5000 > 1000',
      requestId: undefined,
    })
  })

  it.each<[Reply, string, number | undefined]>([
    [{ status: 400, body: '{"code":1000,"error":"wrong value"}' }, 'wrong value', 1000],
    [
      { status: 500, body: '{"error":"internal server error: x"}' },
      'internal server error: x',
      undefined,
    ],
    [
      { status: 422, body: '{"detail":[{"loc":["query","limit"],"msg":"wrong"}]}' },
      'query.limit: wrong',
      undefined,
    ],
    [
      { status: 429, body: '{"ok":false,"result":"Ratelimit exceed","code":429}' },
      'Ratelimit exceed',
      429,
    ],
    [{ status: 429, headers: html, body: '<h1>slow down</h1>' }, '<h1>slow down</h1>', undefined],
  ])('keeps the message and the code of $status $body', async (reply, reason, serverCode) => {
    const { error } = await failureOf(reply)
    expect(error.details).toMatchObject({ reason, serverCode })
  })

  it('reads exit code and log from a rejection', async () => {
    const { error } = await failureOf(index(500, rejection), 'message')
    expect(error).toBeInstanceOf(MessageRejectedError)
    const { exitCode, log } = error as MessageRejectedError
    expect(exitCode).toBe(33)
    expect(log).toContain('terminating vm with exit code 33')
  })

  it('names a failed get-method, with its stack', async () => {
    const text = '{"gas_used":10,"exit_code":-13,"stack":[{"type":"num","value":"0x14c97"}]}'
    const { error } = await failureOf({ body: text }, 'runGetMethod')
    expect(error).toBeInstanceOf(GetMethodError)
    expect(error.details).toMatchObject({
      exitCode: -13,
      gasUsed: 10,
      stack: [{ type: 'number', value: 85_143n }],
    })
  })

  it('reports the path of an invalid field, from the body down', async () => {
    const transaction = {
      account: address,
      hash,
      lt: '5.5',
      now: 5,
      total_fees: '0',
      description: { type: 'ord' },
    }
    const { error } = await failureOf({ body: JSON.stringify({ transactions: [transaction] }) })
    expect(error).toMatchObject({ path: 'transactions[0].lt', retryable: false })
    expect(error.message).toBe(
      'transactions: transactions[0].lt of the response is not an integer in decimal digits',
    )
  })

  it('an error of null or undefined is not an error', async () => {
    for (const error of [null, '']) {
      const text = JSON.stringify({ error, transactions: [] })
      const { baseUrl } = await startMockApi(() => text)
      const v3 = createV3Client({ baseUrl, rps: Infinity })
      expect(await v3.transactions()).toEqual({ error, transactions: [] })
    }
  })

  it('an error under HTTP 200 is recognized for every path', async () => {
    const { baseUrl } = await startMockApi(() => index(200, 'pool not found'))
    const v3 = createV3Client({ baseUrl, rps: Infinity })
    await expect(v3.request({ path: '/staking/pool' })).rejects.toMatchObject({
      code: 'ERR_TONPLUG_SERVER',
      message: expect.stringContaining('pool not found'),
    })
  })

  it.each([
    ['emulated traces not found'],
    ['emulated trace not found'],
    ['transactions not found'],
    ['actions not found'],
  ])('a response without pending rows is an empty list: %s', async (text) => {
    const { baseUrl, requests } = await startMockApi(() => index(404, text))
    const v3 = createV3Client({ baseUrl, rps: Infinity })
    expect(await v3.pendingTraces({ ext_msg_hash: hash })).toEqual({ traces: [] })
    expect(await v3.pendingActions({ account: address })).toEqual({ actions: [] })
    expect(await v3.pendingTransactions({ account: address })).toEqual({ transactions: [] })
    expect(requests).toHaveLength(3)
  })

  it('a timeout of the server is retried', async () => {
    let left = 2
    const { baseUrl, requests } = await startMockApi(() =>
      left-- > 0 ? index(500, 'timeout: context deadline exceeded') : '{"transactions":[]}',
    )
    const v3 = createV3Client({ baseUrl, rps: Infinity, retry: { minDelayMs: 1, maxDelayMs: 1 } })
    expect((await v3.transactions()).transactions).toEqual([])
    expect(requests).toHaveLength(3)
  })
})
