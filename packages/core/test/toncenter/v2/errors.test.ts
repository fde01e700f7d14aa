import { describe, expect, it } from 'vitest'
import { isTonplugError } from '../../../src/shared/tonplug-error.js'
import { MessageRejectedError } from '../../../src/toncenter/errors/api.js'
import type { Reply } from '@tonplug/test-support/mock-api'
import { clientFor, cpp, errorRows, EXTRA, html, type Call } from './error-replies.js'
import { readFixture } from './fixtures.js'

const address = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'
const boc = 'te6cckEBAQEAAgAAAEysuc0='

async function failureOf(reply: Reply, call: Call, options?: { jsonRpc?: boolean }) {
  const { v2 } = await clientFor(reply, options)
  const calls: Record<Call, () => Promise<unknown>> = {
    getTransactions: () => v2.getTransactions({ address }),
    getShards: () => v2.getShards({ seqno: 5 }),
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

describe('errors of the API', () => {
  it.each(errorRows)(
    'have a code: $what is $code',
    async ({ reply, call = 'getTransactions', code, retryable }) => {
      const error = await failureOf(reply, call)
      expect(error).toMatchObject({ code, retryable, endpoint: call, attempts: 1 })
    },
  )

  it.each(errorRows)(
    'are the same through /jsonRPC: $what',
    async ({ reply, call = 'getTransactions', code }) => {
      expect(await failureOf(reply, call, { jsonRpc: true })).toMatchObject({
        code,
        endpoint: call,
      })
    },
  )

  it("keeps the server's message, status, code and @extra", async () => {
    const error = await failureOf(cpp(422, 'failed to validate request: limit'), 'getTransactions')
    expect(error.message).toBe(
      'getTransactions: the server rejected the parameters (422: failed to validate request: limit)',
    )
    expect(error.details).toEqual({
      endpoint: 'getTransactions',
      attempts: 1,
      status: 422,
      reason: 'failed to validate request: limit',
      serverCode: 422,
      requestId: EXTRA,
    })
  })

  it.each<[Reply, string, number | string | undefined]>([
    [{ status: 500, body: '{"ok":false,"error":"no","code":-400}' }, 'no', -400],
    [{ status: 502, body: '{"ok":false,"error":"no","code":"E1"}' }, 'no', 'E1'],
    [
      { status: 422, body: '{"detail":[{"loc":["limit"],"msg":"too large"}]}' },
      'limit: too large',
      undefined,
    ],
    [
      { status: 429, body: '{"ok":false,"error":"Ratelimit exceeded","code":429}' },
      'Ratelimit exceeded',
      429,
    ],
    [
      { status: 429, body: '{"ok":false,"result":"Ratelimit exceed","code":429}' },
      'Ratelimit exceed',
      429,
    ],
    [{ body: '{"ok":false,"result":"Ratelimit exceed","code":429}' }, 'Ratelimit exceed', 429],
    [{ status: 429, headers: html, body: '<h1>slow\n down</h1>' }, '<h1>slow down</h1>', undefined],
    [{ status: 429, body: '' }, '', undefined],
  ])('keeps the message and the code of $status $body', async (reply, reason, serverCode) => {
    const { details } = await failureOf(reply, 'getTransactions')
    expect(details).toMatchObject({ reason, serverCode })
  })

  it('reports that only one kind of server has a method', async () => {
    const reply = cpp(404, 'Not Found')
    expect((await failureOf(reply, 'getShards')).message).toBe(
      'getShards: the server has no such method; only the C++ server has it (404: Not Found)',
    )
    expect((await failureOf(reply, 'sendBoc')).message).toBe(
      'sendBoc: the server has no such method; check the path and baseUrl (404: Not Found)',
    )
  })

  it.each([
    { status: 404, headers: { 'content-type': 'text/plain' }, body: 'Not Found' },
    { status: 404, headers: html, body: '<h1>404</h1>' },
    cpp(404, 'Not Found'),
  ])('reports that a server may have no /jsonRPC: $body', async (reply) => {
    const error = await failureOf(reply, 'sendBoc', { jsonRpc: true })
    expect(error).toMatchObject({ code: 'ERR_TONPLUG_UNKNOWN_METHOD', retryable: false })
    expect(error.message).toMatch(/no such method, or no \/jsonRPC; omit the option jsonRpc/)
  })

  it("keeps a framework's list of problems", async () => {
    const detail = [
      { loc: ['query', 'limit'], msg: 'too large', type: 'value_error' },
      { loc: ['query', 'address'], msg: 'field required' },
    ]
    const reply = { status: 422, body: JSON.stringify({ detail }) }
    const error = await failureOf(reply, 'getTransactions')
    const reason = 'query.limit: too large; query.address: field required'
    expect(error.details).toMatchObject({ status: 422, reason })
  })

  it.each([
    ['a place that is not a string', '[{"loc":[{"toString":1}],"msg":"x"}]', 'x'],
    [
      'a problem that is not a string',
      '[{"loc":["query"],"msg":{"toString":1,"valueOf":1}}]',
      'query',
    ],
    [
      'lists in lists',
      `[{"loc":[${'['.repeat(10_000)}${']'.repeat(10_000)}],"msg":null}]`,
      `{"detail":[{"loc":[${'['.repeat(181)}`,
    ],
  ])('keeps the strings of such a list: %s', async (_, detail, reason) => {
    const error = await failureOf({ status: 422, body: `{"detail":${detail}}` }, 'getTransactions')
    expect(error).toMatchObject({
      code: 'ERR_TONPLUG_VALIDATION',
      details: { status: 422, reason },
    })
  })

  it('reads exit code and log from a rejection', async () => {
    const text = readFixture('error.500.message-rejected.captured.json')
    const error = await failureOf({ status: 500, body: text }, 'sendBoc')
    expect(error).toBeInstanceOf(MessageRejectedError)
    const { exitCode, log } = error as MessageRejectedError
    expect(exitCode).toBe(33)
    expect(log).toMatch(/^\.\.\.te NOW\nexecute LEQ\n[^]*terminating vm with exit code 33$/)
    expect(error.message).not.toContain('\n')
  })

  it('reports the path of an invalid field', async () => {
    const text = readFixture('getTransactions.cpp.json').replace('"fee": "310130"', '"fee": "1e5"')
    const error = await failureOf({ body: text }, 'getTransactions')
    expect(error).toMatchObject({ path: 'result[0].fee', retryable: false, attempts: 1 })
    expect(error.message).toBe(
      'getTransactions: result[0].fee of the response is not an integer in decimal digits',
    )
  })
})
