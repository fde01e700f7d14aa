import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import {
  createRateLimiter,
  type RateLimiter,
} from '../../../src/toncenter/transport/rate-limiter.js'
import type { RequestOptions } from '../../../src/toncenter/transport/call-options.js'
import type { TransportOptions } from '../../../src/toncenter/transport/options.js'
import { createTransport } from '../../../src/toncenter/transport/transport.js'
import { createV2Client } from '../../../src/toncenter/v2/client.js'
import { createV3Client } from '../../../src/toncenter/v3/client.js'
import { API_KEY, createLine, readCall } from './calls.js'
import { startScriptedApi } from '@tonplug/test-support/mock-api'
import { refuse, succeed } from '@tonplug/test-support/responses'
import { ok } from './fault-table.js'

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
    ['retry.maxAttempts', { retry: { maxAttempts: Number.NaN } }],
    ['retry.minDelayMs', { retry: { minDelayMs: -1 } }],
    // What a caller without types may write.
    ['timeoutMs', { timeoutMs: '5000' as unknown as number }],
    ['rps', { rps: '5' as unknown as number }],
    ['network', { network: 'devnet' as 'mainnet' }],
    ['fetch', { fetch: {} as typeof fetch }],
    ['limiter', { limiter: 5 as unknown as RateLimiter }],
    ['hooks.request', { hooks: { request: 'log' as unknown as () => void } }],
    ['hooks.retry', { hooks: { retry: null as unknown as () => void } }],
  ])('refuses an impossible %s', (option, options) => {
    expect(() => createTransport(options)).toThrow(
      expect.objectContaining({ code: 'ERR_TONPLUG_CONFIGURATION', details: { option } }),
    )
  })

  it.each<[TransportOptions, string]>([
    [
      { retry: { minDelayMs: -1 } },
      'retry.minDelayMs: must be a number of at least 0; received -1',
    ],
    [
      { retry: { maxDelayMs: Number.NaN } },
      'retry.maxDelayMs: must be a number of at least 0; received NaN',
    ],
    [{ timeoutMs: 0 }, 'timeoutMs: must be a number above 0; received 0'],
  ])('reports for %j what is allowed', (options, message) => {
    expect(() => createTransport(options)).toThrow(message)
  })

  // What a caller without types may write.
  it.each<[string, object, RegExp]>([
    ['apikey', { apikey: API_KEY }, /^apikey: is not an option here; did you mean apiKey\?$/],
    ['timeout', { timeout: 1000 }, /did you mean timeoutMs/],
    ['endpoint', { endpoint: 'http://127.0.0.1' }, /^endpoint: .*it takes network, baseUrl, /],
    ['jsonRpc', { jsonRpc: true }, /^jsonRpc: is not an option/],
    ['retry.maxAttempt', { retry: { maxAttempt: 1 } }, /did you mean maxAttempts/],
    ['hooks.onRetry', { hooks: { onRetry: () => undefined } }, /did you mean retry/],
  ])('refuses the unknown option %s', (option, options, message) => {
    expect(() => createTransport(options)).toThrow(
      expect.objectContaining({
        code: 'ERR_TONPLUG_CONFIGURATION',
        details: { option },
        message: expect.stringMatching(message),
      }),
    )
  })

  it('treats an undefined option as absent', () => {
    const options = { apikey: undefined, apiKey: undefined, retry: { maxAttempts: undefined } }
    expect(() => createTransport(options)).not.toThrow()
  })

  it.each([
    ['without a key', { apiKey: undefined }, 1],
    ['with a blank key', { apiKey: ' ' }, 1],
    ['with a key', { apiKey: API_KEY }, 10],
    ['with its own rate', { apiKey: API_KEY, rps: 3 }, 3],
  ])('sends %s as many requests per second as allowed', async (_, options, rps) => {
    const server = await startScriptedApi(succeed(1))
    const { transport, clock } = createLine({ baseUrl: server.baseUrl, ...options })
    const calls = Array.from({ length: 12 }, (__, index) =>
      transport.request(readCall({ path: `/${index}` })),
    )
    await server.waitForRequests(rps)
    await clock.advance(1000)
    expect(server.requests).toHaveLength(rps)
    await clock.advance(20_000)
    await Promise.all(calls)
  })

  it('does not wait between attempts with delays of 0', async () => {
    const server = await startScriptedApi(refuse(503, 'later'), refuse(429, ''), succeed(1))
    const retry = { minDelayMs: 0, maxDelayMs: 0 }
    const { transport, delays } = createLine({ baseUrl: server.baseUrl, retry })
    await expect(transport.request(readCall())).resolves.toMatchObject({ meta: { attempts: 3 } })
    expect(delays).toEqual([0, 0])
  })

  it('treats an undefined option of a call as absent', async () => {
    const server = await startScriptedApi(ok)
    const { transport } = createLine({ baseUrl: server.baseUrl })
    const options = {
      signal: undefined,
      timeoutMs: undefined,
      deadlineMs: undefined,
      priority: undefined,
      headers: { 'x-token': undefined },
      onResponse: undefined,
      misspelt: undefined,
    }
    await createV2Client({ transport }).getMasterchainInfo({}, options)
    expect(server.requests).toHaveLength(1)
  })

  // What a caller without types may write.
  it.each<[string, object, RegExp]>([
    ['timeout', { timeout: 5 }, /did you mean timeoutMs/],
    ['deadline', { deadline: 5 }, /did you mean deadlineMs/],
    ['prioritiy', { prioritiy: 'low' }, /did you mean priority/],
    ['onresponse', { onresponse: () => undefined }, /did you mean onResponse/],
    ['onResponse', { onResponse: 'log' }, /^onResponse: must be a function; received string$/],
  ])(
    'refuses the option %s of a call before anything is sent',
    async (option, options, message) => {
      const server = await startScriptedApi(ok)
      const { transport } = createLine({ baseUrl: server.baseUrl })
      const refusal = {
        code: 'ERR_TONPLUG_CONFIGURATION',
        details: { option },
        message: expect.stringMatching(message) as string,
      }
      const [v2, v3] = [createV2Client({ transport }), createV3Client({ transport })]
      const raw = { path: '/x' }
      await expect(v2.getMasterchainInfo({}, options)).rejects.toMatchObject(refusal)
      await expect(v2.request(raw, options)).rejects.toMatchObject(refusal)
      await expect(v3.masterchainInfo({}, options)).rejects.toMatchObject(refusal)
      await expect(v3.request(raw, options)).rejects.toMatchObject(refusal)
      expect(server.requests).toEqual([])
    },
  )

  it.each<[string, RequestOptions]>([
    ['header', { headers: { 'x-token': 'a\nb' } }],
    ['time', { timeoutMs: -1 }],
    ['deadline', { deadlineMs: 0 }],
    ['deadline', { deadlineMs: '5' as unknown as number }],
    // What a caller without types may write.
    ['priority', { priority: 'urgent' as 'high' }],
  ])('refuses an impossible %s of a call before anything is sent', async (_, options) => {
    const server = await startScriptedApi(succeed(1))
    const { transport } = createLine({ baseUrl: server.baseUrl })
    const call = transport.request(readCall(), options)
    await expect(call).rejects.toMatchObject({ code: 'ERR_TONPLUG_CONFIGURATION' })
    expect(server.requests).toEqual([])
  })

  it('shares one rate among transports with one limiter', async () => {
    const server = await startScriptedApi(succeed(1))
    const { clock } = createLine({})
    const limiter = createRateLimiter({ rps: 2, clock })
    const calls = Array.from({ length: 4 }, () =>
      createTransport({ baseUrl: server.baseUrl, limiter, clock }).request(readCall()),
    )
    await server.waitForRequests(2)
    await clock.advance(1000)
    expect(server.requests).toHaveLength(2)
    await clock.advance(10)
    await Promise.all(calls)
  })
})

describe('createV2Client', () => {
  const transport = createTransport()

  // What a caller without types may write.
  it.each<[string, object, RegExp]>([
    ['jsonRPC', { jsonRPC: true }, /did you mean jsonRpc/],
    ['apikey', { apikey: API_KEY }, /did you mean apiKey/],
    ['tranport', { tranport: transport }, /did you mean transport/],
    ['apiKey', { transport, apiKey: API_KEY }, /it takes transport, jsonRpc$/],
    ['rps', { transport, jsonRpc: true, rps: 5 }, /it takes transport, jsonRpc$/],
  ])('refuses %s where it would do nothing', (option, options, message) => {
    expect(() => createV2Client(options)).toThrow(
      expect.objectContaining({
        code: 'ERR_TONPLUG_CONFIGURATION',
        details: { option },
        message: expect.stringMatching(message),
      }),
    )
  })

  it('creates a transport by default', async () => {
    const server = await startScriptedApi(ok)
    // What a caller without types may write.
    const options: object = { transport: undefined, baseUrl: server.baseUrl }
    await expect(createV2Client(options).getMasterchainInfo()).resolves.toHaveProperty('last')
  })

  it('is rejected by its types as well', () => {
    // @ts-expect-error an option of the transport beside one
    expect(() => createV2Client({ transport, apiKey: API_KEY })).toThrow('apiKey')
    // @ts-expect-error no option
    expect(() => createV2Client({ endpoint: 'http://127.0.0.1' })).toThrow('endpoint')
    // @ts-expect-error no option
    expect(() => createTransport({ apikey: API_KEY })).toThrow('apikey')
  })
})

describe('a process that waits only for the next attempt', () => {
  it('stays alive until the response has arrived', async () => {
    const child = fileURLToPath(new URL('waiting.child.mjs', import.meta.url))
    const { stdout } = await promisify(execFile)(process.execPath, [child])
    expect(stdout).toBe('answered after 2 attempts\n')
  })
})
