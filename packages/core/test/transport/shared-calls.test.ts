import { inspect, types } from 'node:util'
import { describe, expect, it } from 'vitest'
import { HttpStatusError } from '../../src/toncenter/errors/http.js'
import { isTonplugError, type TonplugError } from '../../src/shared/tonplug-error.js'
import { readCall } from './calls.js'
import { begin, set, type Setting } from './ended-call.js'
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
    await first?.abort()
    await second?.abort()
    const isOpen = Symbol('open')
    const soon = new Promise((resolve) => setImmediate(resolve, isOpen))
    expect(await Promise.race([server.requests[0]?.closed, soon])).toBe(isOpen)
    await third?.abort()
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
    await first.abort()
    response.resolve(succeed(1))
    await expect(second.call).resolves.toMatchObject({ value: { ok: true, result: 1 } })
  })

  it('have each caller’s own deadline', async () => {
    const response = deferred<MockReply>()
    const { line, server } = await set([response.promise])
    const patient = line.transport.request(readCall())
    const hasty = line.transport.request(readCall(), { deadlineMs: 100 })
    hasty.catch(() => undefined)
    await server.waitForRequests(1)
    await line.clock.advance(99)
    expect(line.clock.pendingTimers().map(({ delayMs }) => delayMs)).toContain(100)
    await line.clock.advance(1)
    const details = { scope: 'deadline', limitMs: 100, phase: 'headers', attempts: 1 }
    await expect(hasty).rejects.toMatchObject({ code: 'ERR_TONPLUG_TIMEOUT', details })
    response.resolve(succeed(1))
    await expect(patient).resolves.toMatchObject({ value: { ok: true } })
    expect(server.requests).toHaveLength(1)
  })

  it('are one request whatever their priorities and times', async () => {
    const { line, server } = await set([succeed(1)])
    const options = [{}, { priority: 'high' }, { timeoutMs: 50 }, { deadlineMs: 99 }] as const
    const calls = options.map((one) => line.transport.request(readCall(), one))
    expect((await Promise.all(calls)).map(({ meta }) => meta.isShared)).toEqual([
      false,
      true,
      true,
      true,
    ])
    expect(server.requests).toHaveLength(1)
  })

  it('have the priority of the most urgent caller', async () => {
    const { line, server } = await set([succeed(1)], { rps: 1 })
    const ask = (path: string, priority: 'high' | 'normal' | 'low') =>
      line.transport.request(readCall({ path }), { priority })
    const calls = [ask('/first', 'normal'), ask('/low', 'low'), ask('/normal', 'normal')]
    calls.push(ask('/low', 'high'))
    await line.clock.advance(3000)
    await Promise.all(calls)
    const paths = server.requests.map(({ url }) => url?.replace('/api/v2', ''))
    expect(paths).toEqual(['/first', '/low', '/normal'])
    expect(line.clock.pendingTimers()).toEqual([])
  })

  it('have the longest timeout of their callers for the next attempt', async () => {
    const { line, server } = await set([hang, hang], { retry: { maxAttempts: 2 } })
    const hasty = line.transport.request(readCall(), { timeoutMs: 100 })
    await server.waitForRequests(1)
    const patient = line.transport.request(readCall(), { timeoutMs: 5000 })
    const settled = Promise.allSettled([hasty, patient])
    await line.clock.advance(100)
    await line.clock.advance(250)
    await server.waitForRequests(2)
    expect(line.clock.pendingTimers().map(({ delayMs }) => delayMs)).toContain(5000)
    await line.clock.advance(5000)
    expect(await settled).toMatchObject([
      { reason: { code: 'ERR_TONPLUG_TIMEOUT', details: { limitMs: 5000 } } },
      { reason: { code: 'ERR_TONPLUG_TIMEOUT', details: { limitMs: 5000 } } },
    ])
  })

  it.each([
    ['another path', { path: '/getShards' }, {}],
    ['another query', { query: [['seqno', '1']] as const }, {}],
    ['another body', { method: 'POST' as const, body: { seqno: 1 } }, {}],
    ['another API', { api: 'v3' as const }, {}],
    ['another header', {}, { headers: { 'x-actions-version': 'v2' } }],
    ['a message', { isRead: false }, {}],
  ])('do not include those with %s', async (_, request, options) => {
    const { line, server } = await set([succeed(1)])
    const calls = [
      line.transport.request(readCall()),
      line.transport.request(readCall(request), options),
    ]
    await Promise.all(calls)
    expect(server.requests).toHaveLength(2)
  })
})
