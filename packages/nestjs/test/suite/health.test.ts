import { Controller, Get, Module } from '@nestjs/common'
import type { LoggerService, Type } from '@nestjs/common'
import { HealthCheck, HealthCheckService, TerminusModule } from '@nestjs/terminus'
import { Test } from '@nestjs/testing'
import { createRateLimiter } from '@tonplug/core/toncenter'
import type { Priority } from '@tonplug/core/toncenter'
import { createFakeClock } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { TonplugHealthIndicator } from '../../src/health.js'
import type { TonplugHealthOptions } from '../../src/health.js'
import { TonplugModule } from '../../src/tonplug.module.js'
import type { TonplugModuleOptions } from '../../src/tonplug.options.js'
import { V2Service } from '../../src/v2.service.js'
import { SEQNO, startMockNode } from '../support/mock-node.js'
import { platforms, startApp } from '../support/start-app.js'

const apiKey = 'key-of-the-tests-0123456789'

function healthApp(
  instances: readonly TonplugModuleOptions[],
  checks: readonly TonplugHealthOptions[],
): Type {
  @Controller('health')
  class HealthController {
    constructor(
      private readonly health: HealthCheckService,
      private readonly tonplug: TonplugHealthIndicator,
    ) {}

    @Get()
    @HealthCheck()
    check() {
      return this.health.check(
        checks.map((options) => () => this.tonplug.isHealthy(options.name ?? 'ton', options)),
      )
    }
  }
  @Module({
    imports: [TerminusModule],
    controllers: [HealthController],
    providers: [TonplugHealthIndicator],
  })
  class HealthModule {}
  @Module({
    imports: [HealthModule, ...instances.map((options) => TonplugModule.forRoot(options))],
  })
  class AppModule {}
  return AppModule
}

async function ask(url: string): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${url}/health`)
  return { status: response.status, body: await response.json() }
}

describe.each(platforms)('TonplugHealthIndicator, %s', (platform) => {
  it('is up while the server responds and its last block is recent', async () => {
    const { baseUrl, requests } = await startMockNode()
    const { url } = await startApp(healthApp([{ baseUrl, rps: Infinity }], [{}]), { platform })
    expect(await ask(url)).toEqual({
      status: 200,
      body: {
        status: 'ok',
        error: {},
        info: { ton: up(baseUrl) },
        details: { ton: up(baseUrl) },
      },
    })
    expect(requests.map(({ path }) => path)).toEqual(['/getMasterchainInfo', '/getBlockHeader'])
  })

  it('is down when the last block is too old', async () => {
    const { baseUrl } = await startMockNode({ lagSeconds: 600 })
    const { url } = await startApp(healthApp([{ baseUrl, rps: Infinity }], [{}]), { platform })
    expect(await ask(url)).toMatchObject({
      status: 503,
      body: {
        status: 'error',
        info: {},
        error: {
          ton: {
            status: 'down',
            seqno: SEQNO,
            lagSeconds: expect.closeTo(600, -1),
            server: baseUrl,
            message: expect.stringMatching(/^the last block is 6\d\d s old, more than 60 s$/),
          },
        },
      },
    })
    const patient = await startApp(
      healthApp([{ baseUrl, rps: Infinity }], [{ maxLagSeconds: 3_600 }]),
      { platform },
    )
    expect(await ask(patient.url)).toMatchObject({ status: 200 })
  })

  it('is down when the response has no time of the last block', async () => {
    const { baseUrl } = await startMockNode({ lagSeconds: 'unknown' })
    const { url } = await startApp(healthApp([{ baseUrl, rps: Infinity }], [{}]), { platform })
    expect(await ask(url)).toMatchObject({
      status: 503,
      body: {
        error: {
          ton: {
            status: 'down',
            seqno: SEQNO,
            server: baseUrl,
            message: 'the response of the server has no time of its last block',
          },
        },
      },
    })
  })

  it('is down when the server rejects the request, with the API key in neither response nor log', async () => {
    const lines: unknown[][] = []
    const record = (...parameters: unknown[]): void => void lines.push(parameters)
    const logger: LoggerService = { log: record, error: record, warn: record, debug: record }
    const error = `API key ${apiKey} does not exist`
    const { baseUrl } = await startMockNode({ refusal: { status: 401, error } })
    const { url } = await startApp(healthApp([{ baseUrl, apiKey }], [{}]), {
      platform,
      options: { logger },
    })
    const answer = await ask(url)
    expect(answer).toMatchObject({
      status: 503,
      body: {
        error: {
          ton: {
            status: 'down',
            code: 'ERR_TONPLUG_AUTHENTICATION',
            message: expect.stringContaining('[API key]'),
          },
        },
      },
    })
    expect(JSON.stringify([answer, lines])).not.toContain(apiKey)
  })

  it.each(['/getMasterchainInfo', '/getBlockHeader'])(
    'is down when %s has no response in time',
    async (path) => {
      const clock = createFakeClock()
      const never = new Promise<void>(() => undefined)
      const { baseUrl, nextRequest } = await startMockNode({ holds: { [path]: never } })
      const { url } = await startApp(healthApp([{ baseUrl, rps: Infinity, clock }], [{}]), {
        platform,
      })
      const request = nextRequest(path)
      const answer = ask(url)
      await request
      await clock.advance(5_000)
      expect(await answer).toMatchObject({
        status: 503,
        body: { error: { ton: { status: 'down', code: 'ERR_TONPLUG_TIMEOUT' } } },
      })
    },
  )

  it('limits the time of both requests together', async () => {
    const clock = createFakeClock()
    let answerFirst = (): void => undefined
    const isReady = new Promise<void>((resolve) => (answerFirst = resolve))
    const never = new Promise<void>(() => undefined)
    const { baseUrl, nextRequest } = await startMockNode({
      holds: { '/getMasterchainInfo': isReady, '/getBlockHeader': never },
    })
    const { url } = await startApp(
      healthApp([{ baseUrl, rps: Infinity, clock }], [{ timeoutMs: 2_000 }]),
      { platform },
    )
    const [first, second] = [nextRequest('/getMasterchainInfo'), nextRequest('/getBlockHeader')]
    const answer = ask(url)
    await first
    await clock.advance(1_500)
    answerFirst()
    await second
    await clock.advance(500)
    expect(await answer).toMatchObject({
      status: 503,
      body: {
        error: {
          ton: { status: 'down', server: baseUrl, message: expect.stringContaining('(500)') },
        },
      },
    })
  })

  it('repeats the check with high priority after a timeout in the queue of the rate limit', async () => {
    const clock = createFakeClock()
    const { baseUrl, requests, nextRequest } = await startMockNode({ lagSeconds: 600 })
    const { url, app } = await startApp(healthApp([{ baseUrl, rps: 1, clock }], [{}]), { platform })
    const v2 = app.get(V2Service)
    const calls = Array.from({ length: 30 }, (_, index) =>
      v2.getAddressBalance({ address: accountOf(index) }),
    )
    const answer = ask(url)
    await clock.waitForTimer(({ delayMs }) => delayMs === 5_000)
    await clock.advance(5_000)
    const header = nextRequest('/getBlockHeader')
    await clock.advance(2_500)
    await header
    expect(await answer).toMatchObject({
      status: 503,
      body: { error: { ton: { status: 'down', server: baseUrl, seqno: SEQNO } } },
    })
    expect(requests.filter(({ path }) => path === '/getMasterchainInfo')).toHaveLength(1)
    await clock.advance(60_000)
    await Promise.allSettled(calls)
  })

  it('is up with the reason in the message when the rate limit is exhausted', async () => {
    const clock = createFakeClock()
    const never = new Promise<void>(() => undefined)
    const limiter = { acquire: () => never, pause: () => undefined }
    const { baseUrl, requests } = await startMockNode()
    const { url } = await startApp(healthApp([{ baseUrl, limiter, clock }], [{}]), { platform })
    const answer = ask(url)
    for (const _ of [1, 2]) {
      await clock.waitForTimer(({ delayMs }) => delayMs === 5_000)
      await clock.advance(5_000)
    }
    expect(await answer).toMatchObject({
      status: 200,
      body: {
        info: {
          ton: {
            status: 'up',
            code: 'ERR_TONPLUG_TIMEOUT',
            message: expect.stringMatching(/^not checked: .*exceeded in phase queue/),
          },
        },
      },
    })
    expect(requests).toEqual([])
  })

  it('is up with the reason in the message while the server limits the rate', async () => {
    const { baseUrl } = await startMockNode({
      refusal: { status: 429, error: 'Ratelimit exceeded' },
    })
    const retry = { maxAttempts: 1, minDelayMs: 120_000, maxDelayMs: 120_000 }
    const { url } = await startApp(healthApp([{ baseUrl, retry }], [{}]), { platform })
    for (const _ of [1, 2]) {
      expect(await ask(url)).toMatchObject({
        status: 200,
        body: {
          info: {
            ton: {
              status: 'up',
              code: 'ERR_TONPLUG_RATE_LIMIT',
              message: expect.stringMatching(/^not checked: /),
            },
          },
        },
      })
    }
  })

  it('throws for an invalid timeout', async () => {
    const { baseUrl } = await startMockNode()
    const { url } = await startApp(healthApp([{ baseUrl }], [{ timeoutMs: 0 }]), { platform })
    expect((await ask(url)).status).toBe(500)
  })

  it('S60 checks each instance by its name, after all other calls that wait for the rate limit', async () => {
    const [one, other] = [await startMockNode(), await startMockNode({ lagSeconds: 600 })]
    const priorities: Priority[] = []
    const inner = createRateLimiter({ rps: Infinity })
    const limiter = {
      acquire: (slot: Parameters<typeof inner.acquire>[0]) => {
        priorities.push(slot.priority)
        return inner.acquire(slot)
      },
      pause: (ms: number) => inner.pause(ms),
    }
    const { url } = await startApp(
      healthApp(
        [
          { baseUrl: one.baseUrl, limiter },
          { name: 'wholesale', baseUrl: other.baseUrl, limiter },
        ],
        [{}, { name: 'wholesale' }],
      ),
      { platform },
    )
    expect(await ask(url)).toMatchObject({
      status: 503,
      body: {
        info: { ton: { status: 'up', server: one.baseUrl } },
        error: { wholesale: { status: 'down', server: other.baseUrl } },
      },
    })
    expect(priorities).toEqual(['low', 'low', 'low', 'low'])
  })
})

it('reports the server without its path, which may contain a secret', async () => {
  const { baseUrl } = await startMockNode()
  const app = healthApp([{ baseUrl: `${baseUrl}/t0ken`, rps: Infinity }], [{}])
  const { url } = await startApp(app, { platform: 'express' })
  const answer = await ask(url)
  expect(answer).toMatchObject({ status: 200, body: { info: { ton: { server: baseUrl } } } })
  expect(JSON.stringify(answer)).not.toContain('t0ken')
})

it('checks the V2Service that a testing module has overridden', async () => {
  const standIn = {
    getMasterchainInfo: async () => {
      throw new Error('no network in this test')
    },
  }
  const module = await Test.createTestingModule({ imports: [healthApp([{}], [{}])] })
    .overrideProvider(V2Service)
    .useValue(standIn)
    .compile()
  const result = module.get(TonplugHealthIndicator, { strict: false }).isHealthy('ton')
  // Terminus 10 reads the error, later versions the result.
  const down = await result.catch(({ causes }: { causes: object }) => causes)
  expect(down).toEqual({ ton: { status: 'down', message: 'Error: no network in this test' } })
})

function accountOf(index: number): string {
  return `0:${index.toString(16).padStart(64, '0')}`
}

function up(server: string): object {
  return { status: 'up', seqno: SEQNO, lagSeconds: expect.closeTo(1, -1), server }
}
