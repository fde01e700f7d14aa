import { Controller, Get, Module } from '@nestjs/common'
import type { LoggerService, Type } from '@nestjs/common'
import { HealthCheck, HealthCheckService, TerminusModule } from '@nestjs/terminus'
import { Test } from '@nestjs/testing'
import { createRateLimiter } from '@tonplug/core'
import type { Priority } from '@tonplug/core'
import { createManualClock } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { TonplugHealthIndicator } from '../../src/health.js'
import type { TonplugHealthOptions } from '../../src/health.js'
import { TonplugModule } from '../../src/tonplug.module.js'
import type { TonplugModuleOptions } from '../../src/tonplug.options.js'
import { V2Service } from '../../src/v2.service.js'
import { SEQNO, startApi } from '../support/api-server.js'
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
  it('is up while the server answers and keeps up', async () => {
    const { baseUrl, arrived } = await startApi()
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
    expect(arrived.map(({ endpoint }) => endpoint)).toEqual([
      'getMasterchainInfo',
      'getBlockHeader',
    ])
  })

  it('is down when the last block is too old', async () => {
    const { baseUrl } = await startApi({ lagSeconds: 600 })
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

  it('is down when the server does not say how old its last block is', async () => {
    const { baseUrl } = await startApi({ lagSeconds: 'unknown' })
    const { url } = await startApp(healthApp([{ baseUrl, rps: Infinity }], [{}]), { platform })
    expect(await ask(url)).toMatchObject({
      status: 503,
      body: {
        error: {
          ton: {
            status: 'down',
            seqno: SEQNO,
            server: baseUrl,
            message: 'the server does not say when its last block was made',
          },
        },
      },
    })
  })

  it('is down when the server refuses, without the key, in the answer as in the log', async () => {
    const lines: unknown[][] = []
    const record = (...parameters: unknown[]): void => void lines.push(parameters)
    const logger: LoggerService = { log: record, error: record, warn: record, debug: record }
    const error = `API key ${apiKey} does not exist`
    const { baseUrl } = await startApi({ refusal: { status: 401, error } })
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

  it.each(['getMasterchainInfo', 'getBlockHeader'])(
    'is down when %s is not answered in time',
    async (endpoint) => {
      const clock = createManualClock()
      const never = new Promise<void>(() => undefined)
      const { baseUrl, arrival } = await startApi({ holds: { [endpoint]: never } })
      const { url } = await startApp(healthApp([{ baseUrl, rps: Infinity, clock }], [{}]), {
        platform,
      })
      const arrived = arrival(endpoint)
      const answer = ask(url)
      await arrived
      await clock.advance(5_000)
      expect(await answer).toMatchObject({
        status: 503,
        body: { error: { ton: { status: 'down', code: 'ERR_TONPLUG_TIMEOUT' } } },
      })
    },
  )

  it('both requests together have the time of the check', async () => {
    const clock = createManualClock()
    let answerFirst = (): void => undefined
    const isReady = new Promise<void>((resolve) => (answerFirst = resolve))
    const never = new Promise<void>(() => undefined)
    const { baseUrl, arrival } = await startApi({
      holds: { getMasterchainInfo: isReady, getBlockHeader: never },
    })
    const { url } = await startApp(
      healthApp([{ baseUrl, rps: Infinity, clock }], [{ timeoutMs: 2_000 }]),
      { platform },
    )
    const [first, second] = [arrival('getMasterchainInfo'), arrival('getBlockHeader')]
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

  it('goes ahead of all others when its time is over in our own line, and tells what it finds', async () => {
    const clock = createManualClock()
    const { baseUrl, arrived, arrival } = await startApi({ lagSeconds: 600 })
    const { url, app } = await startApp(healthApp([{ baseUrl, rps: 1, clock }], [{}]), { platform })
    const v2 = app.get(V2Service)
    const calls = Array.from({ length: 30 }, (_, index) =>
      v2.getAddressBalance({ address: accountOf(index) }),
    )
    const answer = ask(url)
    await clock.waitForTimer(({ delayMs }) => delayMs === 5_000)
    await clock.advance(5_000)
    const header = arrival('getBlockHeader')
    await clock.advance(2_500)
    await header
    expect(await answer).toMatchObject({
      status: 503,
      body: { error: { ton: { status: 'down', server: baseUrl, seqno: SEQNO } } },
    })
    expect(arrived.filter(({ endpoint }) => endpoint === 'getMasterchainInfo')).toHaveLength(1)
    await clock.advance(60_000)
    await Promise.allSettled(calls)
  })

  it('is up, and says that it could not check, when the limit leaves no room at all', async () => {
    const clock = createManualClock()
    const never = new Promise<void>(() => undefined)
    const limiter = { acquire: () => never, pause: () => undefined }
    const { baseUrl, arrived } = await startApi()
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
            message: expect.stringMatching(/^not checked: .*still waiting for the rate limit/),
          },
        },
      },
    })
    expect(arrived).toEqual([])
  })

  it('is up, and says that it could not check, while the server wants no requests', async () => {
    const { baseUrl } = await startApi({ refusal: { status: 429, error: 'Ratelimit exceeded' } })
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

  it('refuses a time that is none in place of being down', async () => {
    const { baseUrl } = await startApi()
    const { url } = await startApp(healthApp([{ baseUrl }], [{ timeoutMs: 0 }]), { platform })
    expect((await ask(url)).status).toBe(500)
  })

  it('S60 checks each instance by its name, after everything else that waits for the limit', async () => {
    const [one, other] = [await startApi(), await startApi({ lagSeconds: 600 })]
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

it('names the server without its path, which may hold a secret', async () => {
  const { baseUrl } = await startApi()
  const app = healthApp([{ baseUrl: `${baseUrl}/t0ken`, rps: Infinity }], [{}])
  const { url } = await startApp(app, { platform: 'express' })
  const answer = await ask(url)
  expect(answer).toMatchObject({ status: 200, body: { info: { ton: { server: baseUrl } } } })
  expect(JSON.stringify(answer)).not.toContain('t0ken')
})

it('a testing module that replaces V2Service replaces what is checked', async () => {
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
  // Terminus 10 takes an error, later versions the result.
  const down = await result.catch(({ causes }: { causes: object }) => causes)
  expect(down).toEqual({ ton: { status: 'down', message: 'Error: no network in this test' } })
})

function accountOf(index: number): string {
  return `0:${index.toString(16).padStart(64, '0')}`
}

function up(server: string): object {
  return { status: 'up', seqno: SEQNO, lagSeconds: expect.closeTo(1, -1), server }
}
