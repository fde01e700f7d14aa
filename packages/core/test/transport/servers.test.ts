import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { createV2Client } from '../../src/v2/client.js'
import { ADDRESS, numberOf, startHistoryServer } from '../v2/history-server.js'
import { API_KEY, createLine } from './calls.js'
import * as server from './fault-server.js'
import { html, ok, page } from './fault-table.js'
import { expectNoKey } from './key-scan.js'
import { createCaller, outcomeOf } from './outcome.js'

afterEach(() => expectNoKey(API_KEY))

describe('the deadline of a call', () => {
  it('is not passed by a wait that the server asks for: the call fails with the reason at once', async () => {
    const faults = await server.startFaultServer(server.refuse(429, '', { 'retry-after': '61' }))
    const { line, v2 } = createCaller(faults.url)
    const { outcome, error } = await outcomeOf(v2.getMasterchainInfo())
    expect({ outcome, delays: line.delays }).toEqual({ outcome: 'RATE_LIMIT', delays: [] })
    expect(error).toMatchObject({ attempts: 1, details: { retryAfterMs: 61_000 } })
  })

  it('ends a wait for the rate limit, and names it', async () => {
    const faults = await server.startFaultServer(ok)
    const { line, v2 } = createCaller(faults.url, { rps: 1 })
    await v2.getMasterchainInfo()
    const call = outcomeOf(v2.getMasterchainInfo({}, { deadlineMs: 900 }))
    await line.clock.advance(900)
    const { outcome, error } = await call
    expect(outcome).toBe('TIMEOUT')
    const details = { scope: 'deadline', phase: 'queue', limitMs: 900, attempts: 0 }
    expect(error).toMatchObject({ details })
    expect(faults.arrivals).toHaveLength(1)
  })

  it('ends a stalled answer, and tells the failure before', async () => {
    const faults = await server.startFaultServer(server.refuse(503, 'first'), server.stallBody)
    const { line, v2 } = createCaller(faults.url, { deadlineMs: 5000 })
    const call = outcomeOf(v2.getMasterchainInfo())
    await line.waitForHeaders(2)
    await line.clock.advance(5000)
    const { outcome, error } = await call
    expect(outcome).toBe('TIMEOUT')
    const details = { scope: 'deadline', phase: 'body', attempts: 2 }
    expect(error).toMatchObject({ details, cause: { code: 'ERR_TONPLUG_SERVER' } })
    await faults.arrivals[1]?.closed
  })
})

describe('the time of an attempt', () => {
  it('holds for a fetch that ignores signals', async () => {
    const fetch = () => new Promise<never>(() => undefined)
    const { line, v2 } = createCaller('http://127.0.0.1:9', { fetch, retry: { maxAttempts: 2 } })
    const call = outcomeOf(v2.getMasterchainInfo())
    for (const delayMs of [10_000, 10_000]) {
      await line.clock.waitForTimer((timer) => timer.delayMs === delayMs)
      await line.clock.advance(delayMs)
    }
    const { outcome, error } = await call
    expect([outcome, line.delays]).toEqual(['TIMEOUT', [250]])
    expect(error).toMatchObject({ attempts: 2, details: { scope: 'attempt', phase: 'headers' } })
  })
})

describe('several servers', () => {
  it('are tried at once, one after the other, and a failed one is left alone', async () => {
    const first = await server.startFaultServer(server.say(502, page, html))
    const second = await server.startFaultServer(server.reset, ok)
    const third = await server.startFaultServer(ok)
    const { line, v2 } = createCaller([first.url, second.url, third.url], { rps: Infinity })
    const asked = (): number[] => [first, second, third].map(({ arrivals }) => arrivals.length)
    expect(await outcomeOf(v2.getMasterchainInfo())).toEqual({ outcome: 'ok' })
    expect({ asked: asked(), delays: line.delays }).toEqual({ asked: [1, 1, 1], delays: [0, 0] })
    await v2.getMasterchainInfo()
    expect(asked()).toEqual([1, 1, 2])
    await line.clock.advance(30_000)
    await v2.getMasterchainInfo()
    expect(asked()).toEqual([2, 2, 2])
  })

  it('are not changed for a refusal that is not the fault of the server', async () => {
    const first = await server.startFaultServer(server.refuse(404, 'transaction was not found'))
    const second = await server.startFaultServer(ok)
    const { v2 } = createCaller([first.url, second.url])
    for (const _ of [1, 2]) {
      expect((await outcomeOf(v2.getMasterchainInfo())).outcome).toBe('NOT_FOUND')
    }
    expect([first.arrivals.length, second.arrivals.length]).toEqual([2, 0])
  })

  it('wait for each other only when all of them have failed', async () => {
    const first = await server.startFaultServer(server.say(502, page, html))
    const second = await server.startFaultServer(server.say(502, page, html))
    const { line, v2 } = createCaller([first.url, second.url])
    expect((await outcomeOf(v2.getMasterchainInfo())).outcome).toBe('HTTP_STATUS')
    expect(line.delays).toEqual([0, 500, 1000])
    expect([first.arrivals.length, second.arrivals.length]).toEqual([2, 2])
  })

  it.each<[string, server.Answer]>([
    ['a page with 500', server.say(500, page, html)],
    ['500 without a body', server.say(500, '')],
    ...[520, 521, 522, 523, 524, 530].map((status): [string, server.Answer] => [
      `a page with ${status}`,
      server.say(status, page, html),
    ]),
    ['a success without a body', server.say(200, '')],
    ['204', server.say(204, '')],
    ['JSON that breaks off', server.say(200, '{"ok":true,"resu')],
    ['JSON with 521', server.sayJson(521, { title: 'Web server is down', status: 521 })],
    ['a rate limit', server.refuse(429, 'Ratelimit exceeded')],
    ['a rate limit of an hour', server.refuse(429, '', { 'retry-after': '3600' })],
  ])('are changed at once for %s', async (_, answer) => {
    const first = await server.startFaultServer(answer)
    const second = await server.startFaultServer(ok)
    const { line, v2 } = createCaller([first.url, second.url])
    for (const __ of [1, 2]) {
      expect(await outcomeOf(v2.getMasterchainInfo())).toEqual({ outcome: 'ok' })
    }
    expect([first.arrivals.length, second.arrivals.length, line.delays]).toEqual([1, 2, [0]])
  })

  it.each<[string, server.Answer]>([
    ['a redirect to a login', server.say(302, '', { location: 'https://login.example/' })],
    ['a redirect with JSON', server.sayJson(301, { ok: true, result: 1 }, { location: '/' })],
    ['a page with 403', server.say(403, page, html)],
    ['a page with 404', server.say(404, page, html)],
    ['404 without a body', server.say(404, '')],
    ['a page with 200', server.say(200, page, html)],
  ])('are changed for one that is no such API: %s', async (_, answer) => {
    const first = await server.startFaultServer(answer)
    const second = await server.startFaultServer(ok)
    const { line, v2 } = createCaller([first.url, second.url])
    const asked = (): number[] => [first, second].map(({ arrivals }) => arrivals.length)
    for (const __ of [1, 2]) {
      expect(await outcomeOf(v2.getMasterchainInfo())).toEqual({ outcome: 'ok' })
    }
    expect({ asked: asked(), delays: line.delays }).toEqual({ asked: [1, 2], delays: [0] })
    await line.clock.advance(30_000)
    await v2.getMasterchainInfo()
    expect(asked()).toEqual([2, 3])
  })

  it('fail as a single one does when none of them is such an API', async () => {
    const first = await server.startFaultServer(server.say(200, page, html))
    const second = await server.startFaultServer(server.say(404, page, html))
    const { v2 } = createCaller([first.url, second.url])
    const { outcome, error } = await outcomeOf(v2.getMasterchainInfo())
    expect([outcome, first.arrivals.length, second.arrivals.length]).toEqual(['HTTP_STATUS', 2, 2])
    expect(error).toMatchObject({ attempts: 4, retryable: false })
  })

  it('are left alone for as long as their rate limit asks', async () => {
    const first = await server.startFaultServer(server.refuse(429, '', { 'retry-after': '90' }), ok)
    const second = await server.startFaultServer(ok)
    const { line, v2 } = createCaller([first.url, second.url])
    await v2.getMasterchainInfo()
    await line.clock.advance(89_000)
    await v2.getMasterchainInfo()
    expect([first.arrivals.length, second.arrivals.length]).toEqual([1, 2])
    await line.clock.advance(1000)
    await v2.getMasterchainInfo()
    expect([first.arrivals.length, second.arrivals.length]).toEqual([2, 2])
  })

  it('share one number of attempts, whose rate limits are waited for when all have one', async () => {
    const limited = server.refuse(429, '', { 'retry-after': '2' })
    const first = await server.startFaultServer(limited)
    const second = await server.startFaultServer(limited)
    const { line, v2 } = createCaller([first.url, second.url])
    expect((await outcomeOf(v2.getMasterchainInfo())).outcome).toBe('RATE_LIMIT')
    expect(line.delays).toEqual([0, 2000, 2000])
    expect([first.arrivals.length, second.arrivals.length]).toEqual([2, 2])
  })

  it('let a walk go on when the one that it began with is gone', async () => {
    const history = { size: 6 }
    const servers = [await startHistoryServer(history), await startHistoryServer(history)] as const
    onTestFinished(async () => servers[1].close())
    const { v2 } = createCaller(servers.map(({ url }) => url))
    const numbers: number[] = []
    for await (const page of v2.getTransactions
      .iterate({ address: ADDRESS }, { pageSize: 3 })
      .pages()) {
      if (numbers.length === 0) await servers[0].close()
      numbers.push(...page.map(numberOf))
    }
    expect(numbers).toEqual([6, 5, 4, 3, 2, 1])
    expect(servers.map(({ asked }) => asked.length > 0)).toEqual([true, true])
  })

  it('give a sticky transport its first answer and all the others, until one fails', async () => {
    const first = await server.startFaultServer(server.reset, ok)
    const second = await server.startFaultServer(ok, ok, server.say(502, page, html), ok)
    const line = createLine({ baseUrl: [first.url, second.url] })
    const sticky = createV2Client({ transport: line.transport.sticky() })
    const asked = (): number[] => [first, second].map(({ arrivals }) => arrivals.length)
    await sticky.getMasterchainInfo()
    await line.clock.advance(60_000)
    await createV2Client({ transport: line.transport }).getMasterchainInfo()
    await sticky.getMasterchainInfo()
    expect({ asked: asked(), delays: line.delays }).toEqual({ asked: [2, 2], delays: [0] })
    await sticky.getMasterchainInfo()
    await line.clock.advance(60_000)
    await sticky.getMasterchainInfo()
    expect({ asked: asked(), delays: line.delays }).toEqual({ asked: [4, 3], delays: [0, 0] })
  })
})
