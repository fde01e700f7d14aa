import { describe, expect, it } from 'vitest'
import { createRateLimiter } from '../../../src/toncenter/transport/rate-limiter.js'
import { createLine, readCall } from './calls.js'
import { set, type Setting } from './ended-call.js'
import { startScriptedApi } from '@tonplug/test-support/mock-api'
import { refuse, reset, succeed } from '@tonplug/test-support/responses'

const TEN_MINUTES_MS = 600_000
const twoHours = refuse(429, '', { 'retry-after': '7200' })

/** Calls for paths of their own. */
function call({ line }: Setting, ...deadlines: (number | undefined)[]): Promise<unknown>[] {
  return deadlines.map((deadlineMs, index) =>
    line.transport.request(readCall({ path: `/${index}` }), { deadlineMs }),
  )
}

function refusal(attempts: number, retryAfterMs: number) {
  const details = { endpoint: 'getMasterchainInfo', attempts, retryAfterMs }
  return { reason: { code: 'ERR_TONPLUG_RATE_LIMIT', details } }
}

// The clock stands still unless a test moves it.
describe('a rate limit that lasts longer than calls may take', () => {
  it('ends waiting calls immediately', async () => {
    const setting = await set([twoHours], { rps: 1 })
    const settled = await Promise.allSettled(call(setting, undefined, 1000, TEN_MINUTES_MS))
    expect(settled).toMatchObject([
      refusal(1, 7_200_000),
      refusal(0, TEN_MINUTES_MS),
      refusal(0, TEN_MINUTES_MS),
    ])
    expect([setting.server.requests.length, setting.errors.length]).toEqual([1, 3])
    expect(setting.line.clock.pendingTimers()).toEqual([])
  })

  it('rejects new calls for ten minutes', async () => {
    const setting = await set([twoHours, succeed(1)])
    const { clock } = setting.line
    await Promise.allSettled(call(setting, undefined))
    await clock.advance(TEN_MINUTES_MS - 60_000)
    expect(await Promise.allSettled(call(setting, 60_000))).toMatchObject([refusal(0, 60_000)])
    const [patient] = call(setting, 60_001)
    expect(setting.server.requests).toHaveLength(1)
    await clock.advance(60_000)
    await expect(patient).resolves.toMatchObject({ value: { result: 1 } })
  })

  it('is retried after ten minutes by a call with a longer timeout', async () => {
    const setting = await set([twoHours, succeed(1)])
    const [patient] = call(setting, TEN_MINUTES_MS + 1)
    await setting.line.clock.waitForTimer(({ delayMs }) => delayMs === TEN_MINUTES_MS)
    await setting.line.clock.advance(TEN_MINUTES_MS)
    await expect(patient).resolves.toMatchObject({ meta: { attempts: 2 } })
  })

  it('delays no call when there is another server', async () => {
    const limited = await startScriptedApi(twoHours)
    const other = await startScriptedApi(succeed(1))
    const { transport } = createLine({ baseUrl: [limited.baseUrl, other.baseUrl], moves: false })
    const calls = Array.from({ length: 5 }, (_, index) =>
      transport.request(readCall({ path: `/${index}` })),
    )
    await Promise.all(calls)
    expect(limited.requests.length).toBeGreaterThan(0)
    expect(other.requests).toHaveLength(5)
  })
})

describe('a rate limit of one server of several', () => {
  const seconds = (count: number) => refuse(429, '', { 'retry-after': String(count) })

  it('does not delay calls that another server can take', async () => {
    const limited = await startScriptedApi(seconds(60))
    const other = await startScriptedApi(seconds(2), succeed(1))
    const { transport, clock, delays } = createLine({ baseUrl: [other.baseUrl, limited.baseUrl] })
    await transport.request(readCall())
    expect(delays).toEqual([0, 2000])
    const nowMs = clock.nowMs()
    await transport.request(readCall())
    expect(clock.nowMs()).toBe(nowMs)
    expect([limited.requests.length, other.requests.length]).toEqual([1, 3])
  })

  it('does not delay calls when the other server has failed in another way', async () => {
    const failing = await startScriptedApi(reset, succeed(1))
    const limited = await startScriptedApi(twoHours)
    const { transport, clock, delays } = createLine({ baseUrl: [failing.baseUrl, limited.baseUrl] })
    await transport.request(readCall())
    expect(delays).toEqual([0, 30_000])
    await clock.advance(30_000)
    await transport.request(readCall())
    expect([failing.requests.length, limited.requests.length]).toEqual([3, 1])
  })

  it('delays all calls without another server', async () => {
    const setting = await set([seconds(7), succeed(1)], { rps: 1 })
    const calls = call(setting, undefined, undefined)
    const { clock } = setting.line
    await clock.waitForTimer(({ delayMs }) => delayMs === 7000)
    await clock.advance(6999)
    expect(setting.server.requests).toHaveLength(1)
    await clock.advance(2500)
    await Promise.all(calls)
    expect(setting.server.requests).toHaveLength(3)
  })
})

describe('a limiter of two transports', () => {
  it('delays both for a server that rejected one of them', async () => {
    const server = await startScriptedApi(twoHours, succeed(1))
    const { clock } = createLine({})
    const limiter = createRateLimiter({ rps: 10, clock })
    const [one, two] = [1, 2].map(() => createLine({ baseUrl: server.baseUrl, limiter, clock }))
    await expect(one?.transport.request(readCall())).rejects.toMatchObject({ attempts: 1 })
    await expect(two?.transport.request(readCall())).rejects.toMatchObject(
      refusal(0, TEN_MINUTES_MS).reason,
    )
    expect(server.requests).toHaveLength(1)
  })

  it('lets the other calls continue on another server, in the order of priority', async () => {
    const limited = await startScriptedApi(refuse(429, '', { 'retry-after': '50' }), succeed(1))
    const other = await startScriptedApi(succeed(1))
    const { clock } = createLine({})
    const limiter = createRateLimiter({ rps: 1, clock })
    const line = { limiter, clock, moves: false }
    const one = createLine({ baseUrl: limited.baseUrl, ...line }).transport
    const two = createLine({ baseUrl: other.baseUrl, ...line }).transport
    const held = one.request(readCall())
    await clock.waitForTimer(({ delayMs }) => delayMs === 50_000)
    const told: string[] = []
    const ask = (path: string, priority: 'high' | 'low') =>
      two.request(readCall({ path }), { priority }).then(() => told.push(path))
    const calls = [ask('/low', 'low'), ask('/high', 'high')]
    await clock.advance(3000)
    await Promise.all(calls)
    expect(told).toEqual(['/high', '/low'])
    await clock.advance(50_000)
    await expect(held).resolves.toMatchObject({ meta: { attempts: 2 } })
    expect([limited.requests.length, other.requests.length]).toEqual([2, 2])
  })

  it('sends both to another server if there is one', async () => {
    const limited = await startScriptedApi(twoHours)
    const other = await startScriptedApi(succeed(1))
    const { clock } = createLine({})
    const limiter = createRateLimiter({ rps: 10, clock })
    const baseUrl = [limited.baseUrl, other.baseUrl]
    for (const _ of [1, 2]) {
      await createLine({ baseUrl, limiter, clock }).transport.request(readCall())
    }
    expect([limited.requests.length, other.requests.length]).toEqual([1, 2])
  })
})
