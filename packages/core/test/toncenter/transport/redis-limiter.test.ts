import { fork, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Redis } from 'ioredis'
import { afterAll, afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { createRedisRateLimiter } from '../../../src/toncenter/transport/redis-limiter.js'
import { createLine, readCall } from './calls.js'
import { startScriptedApi } from '@tonplug/test-support/mock-api'
import { hasRedis, NEEDS_REDIS, redisUrl } from '@tonplug/test-support/redis'
import { refuse, succeed } from '@tonplug/test-support/responses'

type RedisEval = Parameters<typeof createRedisRateLimiter>[0]['redis']

const CHILD = fileURLToPath(new URL('redis-limiter.child.mjs', import.meta.url))
const neverAborted = new AbortController().signal
const slot = { priority: 'normal', isRetry: false, signal: neverAborted } as const

const redis = new Redis(redisUrl, { lazyConnect: true, retryStrategy: () => null })
redis.on('error', () => undefined)
if (hasRedis) await redis.connect()
const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})
afterAll(() => redis.disconnect())

/** The times when requests of this limit were sent, as Redis has stored them, microseconds. */
async function watchStarts(name: string): Promise<number[]> {
  const starts: number[] = []
  const monitor = await redis.monitor()
  onTestFinished(() => monitor.disconnect())
  const held = new Map<string, number>()
  monitor.on('monitor', (_: string, [command = '', key = '', value, slot = '']: string[]) => {
    if (command.toUpperCase() !== 'ZADD' || !key.includes(name)) return
    // The first time is the latest one, in the future.
    if (held.has(slot)) starts.push(Number(value))
    held.set(slot, Number(value))
  })
  return starts
}

describe.skipIf(!hasRedis)(`createRedisRateLimiter, ${NEEDS_REDIS}`, () => {
  it('keeps two processes together below the limit', async () => {
    const name = randomUUID()
    const starts = await watchStarts(name)
    const server = await startScriptedApi(succeed(1))
    const exits = ['one', 'two'].map((process) => {
      const child = fork(CHILD, [redisUrl, server.baseUrl, name, process])
      children.push(child)
      return once(child, 'exit')
    })
    expect(await Promise.all(exits)).toEqual([
      [0, null],
      [0, null],
    ])
    const paths = server.requests.map(({ url }) => url?.replace(/\d+$/, ''))
    expect(paths.filter((path) => path === '/api/v2/one/')).toHaveLength(30)
    expect(paths.filter((path) => path === '/api/v2/two/')).toHaveLength(30)
    // Redis reports them on a connection of its own.
    await expect.poll(() => starts).toHaveLength(60)
    const tooSoon = starts.filter((us, index) => us - (starts[index - 20] ?? -Infinity) < 1_010_000)
    expect(tooSoon).toEqual([])
  })

  it('delays every process during a pause, which a shorter pause does not shorten', async () => {
    const name = randomUUID()
    const [one, two] = [1, 2].map(() => createRedisRateLimiter({ redis, rps: 100, name }))
    const startedMs = performance.now()
    await one?.pause(300)
    await one?.pause(10)
    await two?.acquire(slot)
    expect(performance.now() - startedMs).toBeGreaterThan(295)
  })

  it('is paused by a 429 for the server that sent it, in every process', async () => {
    const name = randomUUID()
    const server = await startScriptedApi(refuse(429, '', { 'retry-after': '90' }))
    const other = await startScriptedApi(succeed(1))
    const [one, two] = [1, 2].map(() => createRedisRateLimiter({ redis, rps: 100, name }))
    const { transport } = createLine({
      baseUrl: server.baseUrl,
      limiter: one,
      retry: { maxAttempts: 1 },
    })
    await expect(transport.request(readCall())).rejects.toThrow('rate limit')
    const [key = ''] = await redis.keys(`tonplug:{rate:${name}}:pause:*`)
    expect(await redis.pttl(key)).toBeGreaterThan(30_000)
    const controller = new AbortController()
    const held = two?.acquire({ ...slot, servers: [server.baseUrl], signal: controller.signal })
    await two?.acquire({ ...slot, servers: [other.baseUrl] })
    await two?.acquire({ ...slot, servers: [server.baseUrl, other.baseUrl] })
    controller.abort(new Error('still held'))
    await expect(held).rejects.toThrow('still held')
    await redis.del(key)
  })

  it('ignores an invalid pause, and pauses for at most ten minutes', async () => {
    const name = randomUUID()
    const limiter = createRedisRateLimiter({ redis, rps: 100, name })
    const key = `tonplug:{rate:${name}}:pause`
    for (const durationMs of [Number.NaN, -5, 0]) await limiter.pause(durationMs)
    expect(await redis.exists(key)).toBe(0)
    await limiter.pause(Infinity)
    expect(await redis.pttl(key)).toBeGreaterThan(540_000)
    expect(await redis.pttl(key)).toBeLessThanOrEqual(600_000)
    await redis.del(key)
  })

  it('leaves nothing in Redis some time after the last call', async () => {
    const name = randomUUID()
    await createRedisRateLimiter({ redis, rps: 5, name }).acquire(slot)
    const key = `tonplug:{rate:${name}}:starts`
    const leftMs = await redis.pttl(key)
    // -1 is a key that never expires.
    expect(leftMs).not.toBe(-1)
    expect(leftMs).toBeLessThanOrEqual(1010)
  })

  it('keeps the slot of a request until it is sent, and for ten seconds if its process ends', async () => {
    const name = randomUUID()
    const [one, two] = [1, 2].map(() => createRedisRateLimiter({ redis, rps: 1, name }))
    const [seconds] = await redis.time()
    await one?.acquire({ ...slot, isBeginReported: true })
    const key = `tonplug:{rate:${name}}:starts`
    const [, heldUntilUs] = await redis.zrange(key, 0, 0, 'WITHSCORES')
    expect(Number(heldUntilUs) / 1_000_000 - Number(seconds)).toBeGreaterThanOrEqual(10)
    const next = two?.acquire(slot).then(() => performance.now())
    const sentMs = performance.now()
    one?.begin?.()
    expect((await next) ?? 0).toBeGreaterThanOrEqual(sentMs + 1000)
    expect(await redis.pttl(key)).toBeLessThanOrEqual(11_010)
    await redis.del(key)
  })

  it('has a rate below one', async () => {
    const name = randomUUID()
    const limiter = createRedisRateLimiter({ redis, rps: 0.01, name })
    await limiter.acquire(slot)
    expect(await redis.pttl(`tonplug:{rate:${name}}:starts`)).toBeGreaterThan(60_000)
    await redis.del(`tonplug:{rate:${name}}:starts`)
  })
})

describe('createRedisRateLimiter', () => {
  it('asks again after the wait that Redis returns, for the first call in the queue', async () => {
    const { clock } = createLine({})
    const waits = [0, 400, 0, 0]
    const answers: RedisEval = { eval: () => Promise.resolve(waits.shift()) }
    const limiter = createRedisRateLimiter({ redis: answers, rps: 1, clock })
    const admitted: string[] = []
    const wait = (priority: 'high' | 'low') =>
      limiter.acquire({ ...slot, priority }).then(() => admitted.push(priority))
    await wait('low')
    const both = [wait('low'), wait('high')]
    await clock.advance(399)
    expect(admitted).toEqual(['low'])
    await clock.advance(1)
    await Promise.all(both)
    expect(admitted).toEqual(['low', 'high', 'low'])
  })

  it('keeps no timer after the last call in the queue', async () => {
    const { clock } = createLine({})
    const limiter = createRedisRateLimiter({
      redis: { eval: () => Promise.resolve(400) },
      rps: 1,
      clock,
    })
    const controller = new AbortController()
    const wait = limiter.acquire({ ...slot, signal: controller.signal })
    await clock.waitForTimer(({ delayMs }) => delayMs === 400)
    controller.abort(new Error('gone'))
    await expect(wait).rejects.toThrow('gone')
    expect(clock.pendingTimers()).toEqual([])
  })

  it('fails all waiting calls when Redis fails, and asks Redis again for later calls', async () => {
    const answers = [Promise.reject(new Error('no Redis')), Promise.resolve(0)]
    const failing: RedisEval = { eval: () => answers.shift() ?? Promise.resolve(0) }
    const limiter = createRedisRateLimiter({ redis: failing, rps: 1 })
    const waits = await Promise.allSettled([limiter.acquire(slot), limiter.acquire(slot)])
    expect(waits.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await limiter.acquire(slot)
  })

  it('fails when Redis does not respond in time, and asks Redis again for later calls', async () => {
    const server = await startScriptedApi(succeed(1))
    const answers: Promise<unknown>[] = [new Promise(() => undefined)]
    const hung: RedisEval = { eval: () => answers.shift() ?? Promise.resolve(0) }
    const { clock } = createLine({})
    const limiter = createRedisRateLimiter({ redis: hung, rps: 1, clock, timeoutMs: 800 })
    const { transport } = createLine({ baseUrl: server.baseUrl, limiter, clock })
    const call = transport.request(readCall())
    call.catch(() => undefined)
    await clock.waitForTimer(({ delayMs }) => delayMs === 800)
    await clock.advance(800)
    await expect(call).rejects.toMatchObject({
      code: 'ERR_TONPLUG_LIMITER',
      message: expect.stringContaining('Redis did not respond within 800 ms'),
      attempts: 0,
    })
    await transport.request(readCall())
    expect(clock.pendingTimers()).toEqual([])
  })

  it('ends a pause that hangs, and still reports the 429', async () => {
    const server = await startScriptedApi(refuse(429, '', { 'retry-after': '7' }))
    // The slot, the begin of its request, and the pause.
    const asks = [Promise.resolve(0), Promise.resolve(0), new Promise<unknown>(() => undefined)]
    const { clock } = createLine({})
    const hung: RedisEval = { eval: () => asks.shift() ?? Promise.resolve(0) }
    const limiter = createRedisRateLimiter({ redis: hung, rps: 1, clock, timeoutMs: 800 })
    const retry = { maxAttempts: 1 }
    const { transport } = createLine({ baseUrl: server.baseUrl, limiter, clock, retry })
    const call = transport.request(readCall())
    call.catch(() => undefined)
    await clock.waitForTimer(({ delayMs }) => delayMs === 800)
    await server.waitForRequests(1)
    while (asks.length > 0) await clock.waitForTimer(({ delayMs }) => delayMs === 800)
    await clock.advance(800)
    await expect(call).rejects.toMatchObject({ code: 'ERR_TONPLUG_RATE_LIMIT' })
  })

  it.each([null, undefined, '', '0', 'OK', true, [], {}, Number.NaN, Infinity, -1])(
    'lets no call pass when Redis responds with %j',
    async (answer) => {
      const odd: RedisEval = { eval: () => Promise.resolve(answer) }
      const limiter = createRedisRateLimiter({ redis: odd, rps: 1 })
      await expect(limiter.acquire(slot)).rejects.toThrow('must return a number')
    },
  )

  it.each<[string, object]>([
    ['timeoutMs', { timeoutMs: 0 }],
    ['timeoutms', { timeoutms: 100 }],
  ])('refuses the option %s', (option, options) => {
    expect(() => createRedisRateLimiter({ redis, rps: 1, ...options })).toThrow(
      expect.objectContaining({ code: 'ERR_TONPLUG_CONFIGURATION', details: { option } }),
    )
  })

  it.each([0, Infinity])('rejects %s requests per second', (rps) => {
    expect(() => createRedisRateLimiter({ redis, rps })).toThrow('rps')
  })
})
