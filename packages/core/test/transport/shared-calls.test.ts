import { describe, expect, it } from 'vitest'
import { readCall } from './calls.js'
import { begin, set } from './ended-call.js'
import { refuse, stallHeaders, succeed } from './fault-server.js'

describe('identical reads in flight', () => {
  it('are one request for sixty-four callers, each with objects of their own', async () => {
    const { line, server } = await set([succeed({ seqno: 7 })])
    const calls = Array.from({ length: 64 }, () => line.transport.request(readCall()))
    const answers = await Promise.all(calls)
    expect(server.arrivals).toHaveLength(1)
    expect(new Set(answers.map(({ value }) => value)).size).toBe(64)
    expect(answers.map(({ value }) => JSON.stringify(value))).toEqual(
      answers.map(() => '{"ok":true,"result":{"seqno":7}}'),
    )
    expect(answers.map(({ meta }) => meta.isShared)).toEqual([false, ...Array(63).fill(true)])
    await line.transport.request(readCall())
    expect(server.arrivals).toHaveLength(2)
  })

  it('fail together, retried once for all', async () => {
    const { line, server, errors } = await set([refuse(404, 'nothing')])
    const calls = Array.from({ length: 64 }, () => line.transport.request(readCall()))
    const settled = await Promise.allSettled(calls)
    expect(settled.every(({ status }) => status === 'rejected')).toBe(true)
    expect([server.arrivals.length, errors.length]).toEqual([1, 64])
  })

  it('go on until the last caller has gone', async () => {
    const { line, server } = await set([stallHeaders, succeed(1)])
    const callers = Array.from({ length: 3 }, () => begin(line))
    const [first, second, third] = callers
    await server.waitForArrivals(1)
    await first?.abort()
    await second?.abort()
    const isOpen = Symbol('open')
    const soon = new Promise((resolve) => setImmediate(resolve, isOpen))
    expect(await Promise.race([server.arrivals[0]?.closed, soon])).toBe(isOpen)
    await third?.abort()
    await server.arrivals[0]?.closed
    // What was given up is not joined.
    await line.transport.request(readCall())
    expect(server.arrivals).toHaveLength(2)
  })

  it('serve the others when the one that began has gone', async () => {
    let answer = (): void => undefined
    const { line, server } = await set([(...both) => (answer = () => succeed(1)(...both))])
    const first = begin(line)
    const second = begin(line)
    await server.waitForArrivals(1)
    await first.abort()
    answer()
    await expect(second.call).resolves.toMatchObject({ value: { ok: true, result: 1 } })
  })

  it('have each caller’s own deadline', async () => {
    let answer = (): void => undefined
    const { line, server } = await set([(...both) => (answer = () => succeed(1)(...both))])
    const patient = line.transport.request(readCall())
    const hasty = line.transport.request(readCall(), { deadlineMs: 100 })
    hasty.catch(() => undefined)
    await server.waitForArrivals(1)
    await line.clock.advance(100)
    await expect(hasty).rejects.toMatchObject({ code: 'ERR_TONPLUG_TIMEOUT' })
    answer()
    await expect(patient).resolves.toMatchObject({ value: { ok: true } })
  })

  it.each([
    ['another path', { path: '/getShards' }, {}],
    ['another query', { query: [['seqno', '1']] as const }, {}],
    ['another body', { method: 'POST' as const, body: { seqno: 1 } }, {}],
    ['another API', { api: 'v3' as const }, {}],
    ['another header', {}, { headers: { 'x-actions-version': 'v2' } }],
    ['another time per attempt', {}, { timeoutMs: 1 }],
    ['another priority', {}, { priority: 'high' as const }],
    ['a message', { isRead: false }, {}],
  ])('are not those with %s', async (_, request, options) => {
    const { line, server } = await set([succeed(1)])
    const calls = [
      line.transport.request(readCall()),
      line.transport.request(readCall(request), options),
    ]
    await Promise.all(calls)
    expect(server.arrivals).toHaveLength(2)
  })
})
