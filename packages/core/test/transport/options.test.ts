import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { createRateLimiter } from '../../src/transport/limiter.js'
import type { RequestOptions, TransportOptions } from '../../src/transport/options.js'
import { createTransport } from '../../src/transport/transport.js'
import { API_KEY, createLine, readCall } from './calls.js'
import { startFaultServer, succeed } from './fault-server.js'

describe('createTransport', () => {
  it.each<[string, TransportOptions]>([
    ['rps', { rps: 0 }],
    ['rps', { rps: 1, limiter: createRateLimiter({ rps: 1 }) }],
    ['timeoutMs', { timeoutMs: 0 }],
    ['deadlineMs', { deadlineMs: Number.NaN }],
    ['maxBodyBytes', { maxBodyBytes: -1 }],
    ['retry.maxAttempts', { retry: { maxAttempts: 0 } }],
    ['baseUrl', { baseUrl: 'nowhere' }],
    ['apiKey', { apiKey: 'two words' }],
  ])('refuses an impossible %s', (option, options) => {
    expect(() => createTransport(options)).toThrow(
      expect.objectContaining({ code: 'ERR_TONPLUG_CONFIGURATION', details: { option } }),
    )
  })

  it.each([
    ['without a key', { apiKey: undefined }, 1],
    ['with a blank key', { apiKey: ' ' }, 1],
    ['with a key', { apiKey: API_KEY }, 10],
    ['with its own rate', { apiKey: API_KEY, rps: 3 }, 3],
  ])('sends %s as many requests in a second as allowed', async (_, options, rps) => {
    const server = await startFaultServer(succeed(1))
    const { transport, clock } = createLine({ baseUrl: server.url, ...options })
    const calls = Array.from({ length: 12 }, (__, index) =>
      transport.request(readCall({ path: `/${index}` })),
    )
    await server.waitForArrivals(rps)
    await clock.advance(1000)
    expect(server.arrivals).toHaveLength(rps)
    await clock.advance(20_000)
    await Promise.all(calls)
  })

  it.each<[string, RequestOptions]>([
    ['header', { headers: { 'x-token': 'a\nb' } }],
    ['time', { timeoutMs: -1 }],
    ['deadline', { deadlineMs: 0 }],
    // What a caller without types may write.
    ['priority', { priority: 'urgent' as 'high' }],
  ])('refuses an impossible %s of a call before anything is sent', async (_, options) => {
    const server = await startFaultServer(succeed(1))
    const { transport } = createLine({ baseUrl: server.url })
    const call = transport.request(readCall(), options)
    await expect(call).rejects.toMatchObject({ code: 'ERR_TONPLUG_CONFIGURATION' })
    expect(server.arrivals).toEqual([])
  })

  it('shares one rate among transports with one limiter', async () => {
    const server = await startFaultServer(succeed(1))
    const { clock } = createLine({})
    const limiter = createRateLimiter({ rps: 2, clock })
    const calls = Array.from({ length: 4 }, () =>
      createTransport({ baseUrl: server.url, limiter, clock }).request(readCall()),
    )
    await server.waitForArrivals(2)
    await clock.advance(1000)
    expect(server.arrivals).toHaveLength(2)
    await clock.advance(10)
    await Promise.all(calls)
  })
})

describe('a process that waits for nothing but the next attempt', () => {
  it('stays alive until the answer is there', async () => {
    const child = fileURLToPath(new URL('waiting.child.mjs', import.meta.url))
    const { stdout } = await promisify(execFile)(process.execPath, [child])
    expect(stdout).toBe('answered after 2 attempts\n')
  })
})
