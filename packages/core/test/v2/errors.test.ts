import { describe, expect, it } from 'vitest'
import { isTonplugError } from '../../src/errors/tonplug-error.js'
import { MessageRejectedError } from '../../src/errors/api.js'
import type { Reply } from './api-server.js'
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
    '$what is a $name',
    async ({ reply, call = 'getTransactions', name, retryable }) => {
      const error = await failureOf(reply, call)
      expect(error).toMatchObject({ name, retryable, endpoint: call, attempts: 1 })
    },
  )

  it.each(errorRows)(
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

  it('says that only one kind of server has a method', async () => {
    const reply = cpp(404, 'Not Found')
    expect((await failureOf(reply, 'getShards')).message).toBe(
      'getShards: the server has no such method; only the C++ server has it (404: Not Found)',
    )
    expect((await failureOf(reply, 'sendBoc')).message).toBe(
      'sendBoc: the server has no such method; check the path and baseUrl, which ends in /jsonRPC where API v2 is not below /api/v2 (404: Not Found)',
    )
  })

  it.each([
    { status: 404, headers: { 'content-type': 'text/plain' }, text: 'Not Found' },
    { status: 404, headers: html, text: '<h1>404</h1>' },
    cpp(404, 'Not Found'),
  ])('says that a server may have no /jsonRPC: $text', async (reply) => {
    const error = await failureOf(reply, 'sendBoc', { jsonRpc: true })
    expect(error).toMatchObject({ name: 'UnknownMethodError', retryable: false })
    expect(error.message).toMatch(/no such method, or no \/jsonRPC; .*without the option jsonRpc/)
  })

  it("keeps a framework's list of what is wrong", async () => {
    const detail = [
      { loc: ['query', 'limit'], msg: 'too large', type: 'value_error' },
      { loc: ['query', 'address'], msg: 'field required' },
    ]
    const reply = { status: 422, text: JSON.stringify({ detail }) }
    const error = await failureOf(reply, 'getTransactions')
    const reason = 'query.limit: too large; query.address: field required'
    expect(error.details).toMatchObject({ status: 422, reason })
  })

  it.each([
    ['a place that is no text', '[{"loc":[{"toString":1}],"msg":"x"}]', 'x'],
    ['a problem that is none', '[{"loc":["query"],"msg":{"toString":1,"valueOf":1}}]', 'query'],
    ['lists in lists', `[{"loc":[${'['.repeat(20_000)}${']'.repeat(20_000)}],"msg":null}]`, ''],
  ])('keeps of such a list what can stand in a text: %s', async (_, detail, reason) => {
    const error = await failureOf({ status: 422, text: `{"detail":${detail}}` }, 'getTransactions')
    expect(error).toMatchObject({ name: 'ValidationError', details: { status: 422, reason } })
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
