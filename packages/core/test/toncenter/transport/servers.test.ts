import { afterEach, describe, expect, it } from 'vitest'
import { createV2Client } from '../../../src/toncenter/v2/client.js'
import { ADDRESS, numberOf, startMockHistory } from '../v2/mock-history.js'
import { API_KEY, createLine } from './calls.js'
import { startScriptedApi, type MockReply } from '@tonplug/test-support/mock-api'
import * as responses from '@tonplug/test-support/responses'
import { html, ok, page } from './fault-table.js'
import { expectNoKey } from './key-scan.js'
import { createCaller, outcomeOf } from './outcome.js'

afterEach(() => expectNoKey(API_KEY))

describe('the deadline of a call', () => {
  it('fails immediately with the reason when the server asks for a longer wait', async () => {
    const faults = await startScriptedApi(responses.refuse(429, '', { 'retry-after': '61' }))
    const { line, v2 } = createCaller(faults.baseUrl)
    const { outcome, error } = await outcomeOf(v2.getMasterchainInfo())
    expect({ outcome, delays: line.delays }).toEqual({ outcome: 'RATE_LIMIT', delays: [] })
    expect(error).toMatchObject({ attempts: 1, details: { retryAfterMs: 61_000 } })
  })

  it('ends a wait for the rate limit, and names it', async () => {
    const faults = await startScriptedApi(ok)
    const { line, v2 } = createCaller(faults.baseUrl, { rps: 1 })
    await v2.getMasterchainInfo()
    const call = outcomeOf(v2.getMasterchainInfo({}, { deadlineMs: 900 }))
    await line.clock.advance(900)
    const { outcome, error } = await call
    expect(outcome).toBe('TIMEOUT')
    const details = { scope: 'deadline', phase: 'queue', limitMs: 900, attempts: 0 }
    expect(error).toMatchObject({ details })
    expect(faults.requests).toHaveLength(1)
  })

  it('ends a stalled response, and reports the failure before', async () => {
    const faults = await startScriptedApi(responses.refuse(503, 'first'), responses.stallBody)
    const { line, v2 } = createCaller(faults.baseUrl, { deadlineMs: 5000 })
    const call = outcomeOf(v2.getMasterchainInfo())
    await line.waitForHeaders(2)
    await line.clock.advance(5000)
    const { outcome, error } = await call
    expect(outcome).toBe('TIMEOUT')
    const details = { scope: 'deadline', phase: 'body', attempts: 2 }
    expect(error).toMatchObject({ details, cause: { code: 'ERR_TONPLUG_SERVER' } })
    await faults.requests[1]?.closed
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
  it('are tried immediately, one after the other, and a failed one is skipped', async () => {
    const first = await startScriptedApi(responses.respond(502, page, html))
    const second = await startScriptedApi(responses.reset, ok)
    const third = await startScriptedApi(ok)
    const { line, v2 } = createCaller([first.baseUrl, second.baseUrl, third.baseUrl], {
      rps: Infinity,
    })
    const asked = (): number[] => [first, second, third].map(({ requests }) => requests.length)
    expect(await outcomeOf(v2.getMasterchainInfo())).toEqual({ outcome: 'ok' })
    expect({ asked: asked(), delays: line.delays }).toEqual({ asked: [1, 1, 1], delays: [0, 0] })
    await v2.getMasterchainInfo()
    expect(asked()).toEqual([1, 1, 2])
    await line.clock.advance(30_000)
    await v2.getMasterchainInfo()
    expect(asked()).toEqual([2, 2, 2])
  })

  it('are not switched after a rejection that is not a fault of the server', async () => {
    const first = await startScriptedApi(responses.refuse(404, 'transaction was not found'))
    const second = await startScriptedApi(ok)
    const { v2 } = createCaller([first.baseUrl, second.baseUrl])
    for (const _ of [1, 2]) {
      expect((await outcomeOf(v2.getMasterchainInfo())).outcome).toBe('NOT_FOUND')
    }
    expect([first.requests.length, second.requests.length]).toEqual([2, 0])
  })

  it('wait for each other only when all of them have failed', async () => {
    const first = await startScriptedApi(responses.respond(502, page, html))
    const second = await startScriptedApi(responses.respond(502, page, html))
    const { line, v2 } = createCaller([first.baseUrl, second.baseUrl])
    expect((await outcomeOf(v2.getMasterchainInfo())).outcome).toBe('HTTP_STATUS')
    expect(line.delays).toEqual([0, 500, 1000])
    expect([first.requests.length, second.requests.length]).toEqual([2, 2])
  })

  it.each<[string, MockReply]>([
    ['a page with 500', responses.respond(500, page, html)],
    ['500 without a body', responses.respond(500, '')],
    ...[520, 521, 522, 523, 524, 530].map((status): [string, MockReply] => [
      `a page with ${status}`,
      responses.respond(status, page, html),
    ]),
    ['a success without a body', responses.respond(200, '')],
    ['204', responses.respond(204, '')],
    ['JSON that breaks off', responses.respond(200, '{"ok":true,"resu')],
    ['JSON with 521', responses.respond(521, { title: 'Web server is down', status: 521 })],
    ['a rate limit', responses.refuse(429, 'Ratelimit exceeded')],
    ['a rate limit of an hour', responses.refuse(429, '', { 'retry-after': '3600' })],
  ])('are changed at once for %s', async (_, answer) => {
    const first = await startScriptedApi(answer)
    const second = await startScriptedApi(ok)
    const { line, v2 } = createCaller([first.baseUrl, second.baseUrl])
    for (const __ of [1, 2]) {
      expect(await outcomeOf(v2.getMasterchainInfo())).toEqual({ outcome: 'ok' })
    }
    expect([first.requests.length, second.requests.length, line.delays]).toEqual([1, 2, [0]])
  })

  it.each<[string, MockReply]>([
    ['a redirect to a login', responses.respond(302, '', { location: 'https://login.example/' })],
    ['a redirect with JSON', responses.respond(301, { ok: true, result: 1 }, { location: '/' })],
    ['a page with 403', responses.respond(403, page, html)],
    ['a page with 404', responses.respond(404, page, html)],
    ['404 without a body', responses.respond(404, '')],
    ['a page with 200', responses.respond(200, page, html)],
  ])('are changed for one that is no such API: %s', async (_, answer) => {
    const first = await startScriptedApi(answer)
    const second = await startScriptedApi(ok)
    const { line, v2 } = createCaller([first.baseUrl, second.baseUrl])
    const asked = (): number[] => [first, second].map(({ requests }) => requests.length)
    for (const __ of [1, 2]) {
      expect(await outcomeOf(v2.getMasterchainInfo())).toEqual({ outcome: 'ok' })
    }
    expect({ asked: asked(), delays: line.delays }).toEqual({ asked: [1, 2], delays: [0] })
    await line.clock.advance(30_000)
    await v2.getMasterchainInfo()
    expect(asked()).toEqual([2, 3])
  })

  it('fail as a single server does when none of them serves the API', async () => {
    const first = await startScriptedApi(responses.respond(200, page, html))
    const second = await startScriptedApi(responses.respond(404, page, html))
    const { v2 } = createCaller([first.baseUrl, second.baseUrl])
    const { outcome, error } = await outcomeOf(v2.getMasterchainInfo())
    expect([outcome, first.requests.length, second.requests.length]).toEqual(['HTTP_STATUS', 2, 2])
    expect(error).toMatchObject({ attempts: 4, retryable: false })
  })

  it('are skipped for as long as their rate limit lasts', async () => {
    const first = await startScriptedApi(responses.refuse(429, '', { 'retry-after': '90' }), ok)
    const second = await startScriptedApi(ok)
    const { line, v2 } = createCaller([first.baseUrl, second.baseUrl])
    await v2.getMasterchainInfo()
    await line.clock.advance(89_000)
    await v2.getMasterchainInfo()
    expect([first.requests.length, second.requests.length]).toEqual([1, 2])
    await line.clock.advance(1000)
    await v2.getMasterchainInfo()
    expect([first.requests.length, second.requests.length]).toEqual([2, 2])
  })

  it('share one number of attempts, and are waited for when all have a rate limit', async () => {
    const limited = responses.refuse(429, '', { 'retry-after': '2' })
    const first = await startScriptedApi(limited)
    const second = await startScriptedApi(limited)
    const { line, v2 } = createCaller([first.baseUrl, second.baseUrl])
    expect((await outcomeOf(v2.getMasterchainInfo())).outcome).toBe('RATE_LIMIT')
    expect(line.delays).toEqual([0, 2000, 2000])
    expect([first.requests.length, second.requests.length]).toEqual([2, 2])
  })

  it('let an iteration continue when its first server is gone', async () => {
    const history = { size: 6 }
    const servers = [await startMockHistory(history), await startMockHistory(history)] as const
    const { v2 } = createCaller(servers.map(({ baseUrl }) => baseUrl))
    const numbers: number[] = []
    for await (const page of v2.getTransactions
      .paginate({ address: ADDRESS }, { pageSize: 3 })
      .pages()) {
      if (numbers.length === 0) await servers[0].close()
      numbers.push(...page.map(numberOf))
    }
    expect(numbers).toEqual([6, 5, 4, 3, 2, 1])
    expect(servers.map(({ requests }) => requests.length > 0)).toEqual([true, true])
  })

  it('serve a sticky transport from one server until that fails', async () => {
    const first = await startScriptedApi(responses.reset, ok)
    const second = await startScriptedApi(ok, ok, responses.respond(502, page, html), ok)
    const line = createLine({ baseUrl: [first.baseUrl, second.baseUrl] })
    const sticky = createV2Client({ transport: line.transport.sticky() })
    const asked = (): number[] => [first, second].map(({ requests }) => requests.length)
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
