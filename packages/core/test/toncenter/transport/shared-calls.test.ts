import { inspect, types } from 'node:util'
import { describe, expect, it } from 'vitest'
import { HttpStatusError } from '../../../src/toncenter/errors/http.js'
import { isTonplugError, type TonplugError } from '../../../src/shared/tonplug-error.js'
import { readCall } from './calls.js'
import { begin, reason, set, type Setting } from './ended-call.js'
import { deferred } from '@tonplug/test-support/deferred'
import type { MockReply } from '@tonplug/test-support/mock-api'
import { refuse, reset, hang, succeed } from '@tonplug/test-support/responses'

/** The errors of two callers who share a call. */
async function failTogether({ line }: Setting): Promise<[TonplugError, TonplugError]> {
  const calls = [line.transport.request(readCall()), line.transport.request(readCall())]
  const [first, second] = await Promise.all(
    calls.map((call) => call.catch((error: unknown) => error)),
  )
  if (!isTonplugError(first) || !isTonplugError(second)) throw new TypeError('no errors')
  return [first, second]
}

describe('identical reads in flight', () => {
  it('are one request for sixty-four callers, each with its own objects', async () => {
    const { line, server } = await set([succeed({ seqno: 7 })])
    const calls = Array.from({ length: 64 }, () => line.transport.request(readCall()))
    const answers = await Promise.all(calls)
    expect(server.requests).toHaveLength(1)
    expect(new Set(answers.map(({ value }) => value)).size).toBe(64)
    expect(answers.map(({ value }) => JSON.stringify(value))).toEqual(
      answers.map(() => '{"ok":true,"result":{"seqno":7}}'),
    )
    expect(answers.map(({ meta }) => meta.isShared)).toEqual([false, ...Array(63).fill(true)])
    await line.transport.request(readCall())
    expect(server.requests).toHaveLength(2)
  })

  it('fail together, after common retries', async () => {
    const { line, server, errors } = await set([refuse(404, 'nothing')])
    const calls = Array.from({ length: 64 }, () => line.transport.request(readCall()))
    const settled = await Promise.allSettled(calls)
    expect(settled.every(({ status }) => status === 'rejected')).toBe(true)
    expect([server.requests.length, errors.length]).toEqual([1, 64])
  })

  it('fail with a separate error for each caller', async () => {
    const [first, second] = await failTogether(await set([refuse(404, 'nothing')]))
    Object.assign(first, { requestOfVisitor: 1 })
    Object.assign(first.details, { visitor: 1 })
    expect(second).not.toHaveProperty('requestOfVisitor')
    expect(second.details).not.toHaveProperty('visitor')
    expect(second).toBeInstanceOf(HttpStatusError)
    expect(types.isNativeError(second)).toBe(true)
    expect(second).toMatchObject({
      name: 'HttpStatusError',
      code: 'ERR_TONPLUG_HTTP_STATUS',
      message: first.message,
      stack: first.stack,
      retryable: false,
      endpoint: 'getMasterchainInfo',
      attempts: 1,
    })
    expect(Object.keys(second)).not.toContain('stack')
  })

  it('fail with errors that have the cause of the failure', async () => {
    const setting = await set([reset], { retry: { maxAttempts: 1 } })
    const [first, second] = await failTogether(setting)
    expect(second).not.toBe(first)
    expect(second).toMatchObject({ code: 'ERR_TONPLUG_NETWORK', cause: first.cause })
    expect(inspect(second)).toContain('ECONNRESET')
  })

  it('continue until the last caller has aborted', async () => {
    const { line, server } = await set([hang, succeed(1)])
    const callers = Array.from({ length: 3 }, () => begin(line))
    const [first, second, third] = callers
    await server.waitForRequests(1)
    expect(await first?.abort()).toBe(reason)
    expect(await second?.abort()).toBe(reason)
    const isOpen = Symbol('open')
    const soon = new Promise((resolve) => setImmediate(resolve, isOpen))
    expect(await Promise.race([server.requests[0]?.closed, soon])).toBe(isOpen)
    expect(await third?.abort()).toBe(reason)
    await server.requests[0]?.closed
    // What was given up is not joined.
    await line.transport.request(readCall())
    expect(server.requests).toHaveLength(2)
  })

  it('serve the others after the first caller has aborted', async () => {
    const response = deferred<MockReply>()
    const { line, server } = await set([response.promise])
    const first = begin(line)
    const second = begin(line)
    await server.waitForRequests(1)
    expect(await first.abort()).toBe(reason)
    response.resolve(succeed(1))
    await expect(second.call).resolves.toMatchObject({ value: { ok: true, result: 1 } })
  })

  it('send a request again for a caller whose deadline is later than that of the shared one', async () => {
    const { line, server } = await set([hang, succeed(1)])
    const options = { deadlineMs: 100 }
    const first = line.transport.request(readCall(), options)
    first.catch(() => undefined)
    await server.waitForRequests(1)
    await line.clock.advance(60)
    const second = line.transport.request(readCall(), options)
    await line.clock.advance(40)
    const details = { scope: 'deadline', limitMs: 100, phase: 'headers', attempts: 1 }
    await expect(first).rejects.toMatchObject({ code: 'ERR_TONPLUG_TIMEOUT', details })
    await expect(second).resolves.toMatchObject({ meta: { attempts: 2, isShared: false } })
    expect(server.requests).toHaveLength(2)
    expect(line.clock.pendingTimers()).toEqual([])
  })

  it('do not include one that ends after the deadline of the call', async () => {
    const { line, server } = await set([hang, hang])
    const options = { deadlineMs: 100 }
    const call = line.transport.together('parts', options, async (send) => {
      await line.clock.advance(60)
      line.transport.request(readCall(), options).catch(() => undefined)
      await server.waitForRequests(1)
      return send(readCall())
    })
    call.catch(() => undefined)
    await server.waitForRequests(2)
    await line.clock.advance(40)
    await expect(call).rejects.toMatchObject({ code: 'ERR_TONPLUG_TIMEOUT' })
  })

  it.each([
    ['another path', { path: '/getShards' }, {}],
    ['another query', { query: [['seqno', '1']] }, {}],
    ['another body', { method: 'POST', body: { seqno: 1 } }, {}],
    ['another API', { api: 'v3' }, {}],
    ['another priority', {}, { priority: 'high' }],
    ['another timeout', {}, { timeoutMs: 50 }],
    ['another deadline', {}, { deadlineMs: 99 }],
    ['another number of attempts', {}, { maxAttempts: 1 }],
    ['another header', {}, { headers: { 'x-actions-version': 'v2' } }],
    ['a message', { isRead: false }, {}],
  ] as const)('do not include those with %s', async (_, request, options) => {
    const { line, server } = await set([succeed(1)])
    const calls = [
      line.transport.request(readCall()),
      line.transport.request(readCall(request), options),
    ]
    await Promise.all(calls)
    expect(server.requests).toHaveLength(2)
  })
})
