import { describe, expect, it } from 'vitest'
import { createRateLimiter } from '../../src/transport/limiter.js'
import { createLine, readCall } from './calls.js'
import { set, type Setting } from './ended-call.js'
import { refuse, reset, startFaultServer, succeed } from './fault-server.js'

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
  it('ends the calls that wait, at once', async () => {
    const setting = await set([twoHours], { rps: 1 })
    const settled = await Promise.allSettled(call(setting, undefined, 1000, TEN_MINUTES_MS))
    expect(settled).toMatchObject([
      refusal(1, 7_200_000),
      refusal(0, TEN_MINUTES_MS),
      refusal(0, TEN_MINUTES_MS),
    ])
    expect([setting.server.arrivals.length, setting.errors.length]).toEqual([1, 3])
    expect(setting.line.clock.pendingTimers()).toEqual([])
  })

  it('lets no call begin to wait, until ten minutes have passed', async () => {
    const setting = await set([twoHours, succeed(1)])
    const { clock } = setting.line
    await Promise.allSettled(call(setting, undefined))
    await clock.advance(TEN_MINUTES_MS - 60_000)
    expect(await Promise.allSettled(call(setting, 60_000))).toMatchObject([refusal(0, 60_000)])
    const [patient] = call(setting, 60_001)
    expect(setting.server.arrivals).toHaveLength(1)
    await clock.advance(60_000)
    await expect(patient).resolves.toMatchObject({ value: { result: 1 } })
  })

  it('is asked again after ten minutes by a call that may take that long', async () => {
    const setting = await set([twoHours, succeed(1)])
    const [patient] = call(setting, TEN_MINUTES_MS + 1)
    await setting.line.clock.waitForTimer(({ delayMs }) => delayMs === TEN_MINUTES_MS)
    await setting.line.clock.advance(TEN_MINUTES_MS)
    await expect(patient).resolves.toMatchObject({ meta: { attempts: 2 } })
  })

  it('keeps a shared call for the most patient of its callers', async () => {
    const { line, server } = await set([twoHours, succeed(1)], { rps: 1 })
    const first = line.transport.request(readCall({ path: '/first' }))
    const hasty = line.transport.request(readCall())
    const patient = line.transport.request(readCall(), { deadlineMs: TEN_MINUTES_MS + 5000 })
    hasty.catch(() => undefined)
    await expect(first).rejects.toMatchObject({ code: 'ERR_TONPLUG_RATE_LIMIT' })
    await line.clock.advance(60_000)
    await expect(hasty).rejects.toMatchObject({ code: 'ERR_TONPLUG_TIMEOUT' })
    await line.clock.advance(TEN_MINUTES_MS - 60_000)
    await expect(patient).resolves.toMatchObject({ meta: { isShared: true } })
    expect(server.arrivals).toHaveLength(2)
  })

  it('holds nobody when another server is there', async () => {
    const limited = await startFaultServer(twoHours)
    const other = await startFaultServer(succeed(1))
    const { transport } = createLine({ baseUrl: [limited.url, other.url], moves: false })
    const calls = Array.from({ length: 5 }, (_, index) =>
      transport.request(readCall({ path: `/${index}` })),
    )
    await Promise.all(calls)
    expect(limited.arrivals.length).toBeGreaterThan(0)
    expect(other.arrivals).toHaveLength(5)
  })
})

describe('a rate limit of one server of several', () => {
  const seconds = (count: number) => refuse(429, '', { 'retry-after': String(count) })

  it('does not hold the calls that another server may answer', async () => {
    const limited = await startFaultServer(seconds(60))
    const other = await startFaultServer(seconds(2), succeed(1))
    const { transport, clock, delays } = createLine({ baseUrl: [other.url, limited.url] })
    await transport.request(readCall())
    expect(delays).toEqual([0, 2000])
    const nowMs = clock.nowMs()
    await transport.request(readCall())
    expect(clock.nowMs()).toBe(nowMs)
    expect([limited.arrivals.length, other.arrivals.length]).toEqual([1, 3])
  })

  it('does not hold the calls when the other one has failed in another way', async () => {
    const failing = await startFaultServer(reset, succeed(1))
    const limited = await startFaultServer(twoHours)
    const { transport, clock, delays } = createLine({ baseUrl: [failing.url, limited.url] })
    await transport.request(readCall())
    expect(delays).toEqual([0, 30_000])
    await clock.advance(30_000)
    await transport.request(readCall())
    expect([failing.arrivals.length, limited.arrivals.length]).toEqual([3, 1])
  })

  it('holds all calls when there is no other, whoever was told', async () => {
    const setting = await set([seconds(7), succeed(1)], { rps: 1 })
    const calls = call(setting, undefined, undefined)
    const { clock } = setting.line
    await clock.waitForTimer(({ delayMs }) => delayMs === 7000)
    await clock.advance(6999)
    expect(setting.server.arrivals).toHaveLength(1)
    await clock.advance(2500)
    await Promise.all(calls)
    expect(setting.server.arrivals).toHaveLength(3)
  })
})

describe('a limiter of two transports', () => {
  it('holds both for a server that one of them was refused by', async () => {
    const server = await startFaultServer(twoHours, succeed(1))
    const { clock } = createLine({})
    const limiter = createRateLimiter({ rps: 10, clock })
    const [one, two] = [1, 2].map(() => createLine({ baseUrl: server.url, limiter, clock }))
    await expect(one?.transport.request(readCall())).rejects.toMatchObject({ attempts: 1 })
    await expect(two?.transport.request(readCall())).rejects.toMatchObject(
      refusal(0, TEN_MINUTES_MS).reason,
    )
    expect(server.arrivals).toHaveLength(1)
  })

  it('lets the other one go on with another server, in the order of priority', async () => {
    const limited = await startFaultServer(refuse(429, '', { 'retry-after': '50' }), succeed(1))
    const other = await startFaultServer(succeed(1))
    const { clock } = createLine({})
    const limiter = createRateLimiter({ rps: 1, clock })
    const line = { limiter, clock, moves: false }
    const one = createLine({ baseUrl: limited.url, ...line }).transport
    const two = createLine({ baseUrl: other.url, ...line }).transport
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
    expect([limited.arrivals.length, other.arrivals.length]).toEqual([2, 2])
  })

  it('sends both to another server where they have one', async () => {
    const limited = await startFaultServer(twoHours)
    const other = await startFaultServer(succeed(1))
    const { clock } = createLine({})
    const limiter = createRateLimiter({ rps: 10, clock })
    const baseUrl = [limited.url, other.url]
    for (const _ of [1, 2]) {
      await createLine({ baseUrl, limiter, clock }).transport.request(readCall())
    }
    expect([limited.arrivals.length, other.arrivals.length]).toEqual([1, 2])
  })
})
