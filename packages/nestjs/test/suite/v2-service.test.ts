import { inspect } from 'node:util'
import { Controller, Get, Inject, Injectable, Module, Param } from '@nestjs/common'
import type { DynamicModule, LoggerService, Type } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { Test } from '@nestjs/testing'
import { createRateLimiter } from '@tonplug/core/toncenter'
import type { RateLimiter } from '@tonplug/core/toncenter'
import request from 'supertest'
import { describe, expect, it, onTestFinished } from 'vitest'
import { TonplugModule } from '../../src/tonplug.module.js'
import { getV2Token, InjectV2 } from '../../src/tonplug.tokens.js'
import { V2Service } from '../../src/services.js'
import { address, startMockNode } from '../support/mock-node.js'
import { platforms, startApp } from '../support/start-app.js'
import { createShop, deliver, deliveries, optionsOf } from '../support/shop.js'

const apiKey = 'key-of-the-tests-0123456789'

@Controller('balance')
class BalanceController {
  constructor(private readonly v2: V2Service) {}

  @Get(':address')
  async balance(@Param('address') account: string): Promise<string> {
    return (await this.v2.getAddressBalance({ address: account })).toString()
  }
}

function appWith(...imports: DynamicModule[]): Type {
  @Module({ imports, controllers: [BalanceController] })
  class AppModule {}
  return AppModule
}

const read = async (url: string): Promise<string> => (await request(url).get('')).text

describe.each(platforms)('V2Service, %s', (platform) => {
  it('is injected by its class, with the options of the module, next to a webhook', async () => {
    const shop = createShop()
    const { baseUrl, requests } = await startMockNode({ balance: '1234567890123456789' })
    const { url } = await startApp(
      appWith(TonplugModule.forRoot({ baseUrl, apiKey, path: 'webhooks/ton', ...optionsOf(shop) })),
      { platform },
    )
    expect(shop.logger.lines).toContainEqual(
      expect.objectContaining({
        message: 'payments started',
        fields: expect.objectContaining({ network: 'own servers', webhook: true }),
      }),
    )
    expect(requests).toEqual([])
    expect(await read(`${url}/balance/${address}`)).toBe('1234567890123456789')
    expect(requests).toMatchObject([{ path: '/getAddressBalance', apiKey }])
    expect(await deliver(`${url}/webhooks/ton`, deliveries.valid)).toMatchObject({ status: 200 })
    expect(await shop.orderStatus()).toBe('completed')
  })

  it('sends all calls through /jsonRPC with jsonRpc', async () => {
    const { baseUrl, requests } = await startMockNode({ balance: '5' })
    const module = TonplugModule.forRoot({ baseUrl, apiKey, jsonRpc: true })
    const { url } = await startApp(appWith(module), { platform })
    expect(await read(`${url}/balance/${address}`)).toBe('5')
    expect(requests).toMatchObject([{ path: '/jsonRPC', apiKey }])
  })

  it('is injectable in every module with isGlobal and options of a factory', async () => {
    const { baseUrl, requests } = await startMockNode()
    @Module({ controllers: [BalanceController] })
    class FeatureModule {}
    @Module({
      imports: [
        FeatureModule,
        TonplugModule.forRootAsync({
          isGlobal: true,
          useFactory: async () => ({ baseUrl, apiKey }),
        }),
      ],
    })
    class AppModule {}
    const { app, url } = await startApp(AppModule, { platform })
    expect(await read(`${url}/balance/${address}`)).toBe('1')
    expect(requests).toMatchObject([{ path: '/getAddressBalance', apiKey }])
    expect(app.get(V2Service)).toBeInstanceOf(V2Service)
  })

  it('S60 has its own API key, servers and rate limit in each named instance', async () => {
    const [main, wholesale] = [
      await startMockNode({ balance: '1' }),
      await startMockNode({ balance: '2' }),
    ]
    const limited: string[] = []
    const limiterOf = (name: string): RateLimiter => {
      const limiter = createRateLimiter({ rps: 1 })
      return {
        acquire: async (slot) => {
          limited.push(name)
          await limiter.acquire(slot)
        },
        pause: (ms) => limiter.pause(ms),
      }
    }
    @Controller('wholesale')
    class WholesaleController {
      constructor(@InjectV2('wholesale') private readonly v2: V2Service) {}

      @Get()
      async balance(): Promise<string> {
        return (await this.v2.getAddressBalance({ address })).toString()
      }
    }
    @Module({
      imports: [
        TonplugModule.forRoot({ baseUrl: main.baseUrl, apiKey, limiter: limiterOf('main') }),
        TonplugModule.forRoot({
          name: 'wholesale',
          baseUrl: wholesale.baseUrl,
          apiKey: 'key-of-wholesale',
          limiter: limiterOf('wholesale'),
        }),
      ],
      controllers: [BalanceController, WholesaleController],
    })
    class AppModule {}
    const { url } = await startApp(AppModule, { platform })
    expect(await read(`${url}/wholesale`)).toBe('2')
    expect(await read(`${url}/balance/${address}`)).toBe('1')
    expect(main.requests).toMatchObject([{ path: '/getAddressBalance', apiKey }])
    expect(wholesale.requests).toMatchObject([
      { path: '/getAddressBalance', apiKey: 'key-of-wholesale' },
    ])
    expect(limited).toEqual(['wholesale', 'main'])
  })

  it("never writes the API key to Nest's log or a response, even when the server quotes it", async () => {
    const error = `API key ${apiKey} does not exist`
    const { baseUrl } = await startMockNode({ refusal: { status: 401, error } })
    const lines: unknown[] = []
    const record = (...parameters: unknown[]): void => void lines.push(parameters)
    const logger: LoggerService = { log: record, error: record, warn: record, debug: record }
    const { url } = await startApp(appWith(TonplugModule.forRoot({ baseUrl, apiKey })), {
      platform,
      options: { logger },
    })
    const answer = await read(`${url}/balance/${address}`)
    expect(answer).toContain('Internal server error')
    const text = inspect([lines, answer], { depth: Infinity, showHidden: true })
    expect(text).toContain('does not exist')
    expect(text).not.toContain(apiKey)
  })

  it('has one transport, which sends identical concurrent reads once', async () => {
    const { baseUrl, requests } = await startMockNode({ balance: '7' })
    const { app } = await startApp(appWith(TonplugModule.forRoot({ baseUrl, rps: Infinity })), {
      platform,
    })
    const v2 = app.get(V2Service)
    const other = app.get<V2Service>(getV2Token(), { strict: false })
    expect(
      await Promise.all([v2.getAddressBalance({ address }), other.getAddressBalance({ address })]),
    ).toEqual([7n, 7n])
    expect(requests).toHaveLength(1)
  })
})

describe('an invalid configuration', () => {
  const start = (module: Type) => startApp(module, { platform: 'express' })

  it.each([
    ['an unknown network', { network: 'tesnet' }, /network: must be 'mainnet' or 'testnet'/],
    [
      'two kinds of servers',
      { network: 'testnet', baseUrl: 'https://a.example' },
      /baseUrl: cannot be combined with network/,
    ],
    ['a key with a line break', { apiKey: 'a\nb' }, /apiKey: must be a valid header/],
    [
      'two limits',
      { rps: 1, limiter: createRateLimiter({ rps: 1 }) },
      /rps: cannot be combined with limiter/,
    ],
  ])('is rejected at start with %s', async (_name, options, message) => {
    // Callers without type checks can pass any value.
    await expect(start(appWith(TonplugModule.forRoot(options as object)))).rejects.toThrow(message)
  })

  it('is rejected at start with V2Service injected when every instance has a name', async () => {
    const named = appWith(TonplugModule.forRoot({ name: 'wholesale' }))
    await expect(start(named)).rejects.toThrow(
      /can't resolve dependencies of the BalanceController.*V2Service/,
    )
  })

  it('is rejected at start with an unknown name', async () => {
    @Injectable()
    class Service {
      constructor(@InjectV2('euros') readonly v2: V2Service) {}
    }
    @Module({ imports: [TonplugModule.forRoot({})], providers: [Service] })
    class AppModule {}
    await expect(start(AppModule)).rejects.toThrow(/Service.*tonplug:v2:euros/)
  })

  it('is rejected at start with two instances of one name', async () => {
    const twice = appWith(TonplugModule.forRoot({ rps: 1 }), TonplugModule.forRoot({ rps: 2 }))
    await expect(start(twice)).rejects.toThrow(
      /TonplugModule: is imported twice with the name 'default'/,
    )
  })
})

describe('V2Service in tests and workers', () => {
  it('is overridden in a testing module by class or token', async () => {
    const standIn = { getAddressBalance: async () => 42n }
    for (const token of [V2Service, getV2Token()]) {
      const module = await Test.createTestingModule({
        imports: [appWith(TonplugModule.forRoot({}))],
      })
        .overrideProvider(token)
        .useValue(standIn)
        .compile()
      expect(await module.get(BalanceController).balance(address)).toBe('42')
    }
  })

  it('is available in an application context and in factories', async () => {
    const { baseUrl } = await startMockNode({ balance: '5' })
    @Injectable()
    class Watcher {
      constructor(@Inject('v2') readonly v2: V2Service) {}
    }
    const v2 = { provide: 'v2', inject: [V2Service], useFactory: (service: V2Service) => service }
    @Module({ imports: [TonplugModule.forRoot({ baseUrl })], providers: [Watcher, v2] })
    class AppModule {}
    const context = await NestFactory.createApplicationContext(AppModule, {
      logger: false,
      abortOnError: false,
    })
    onTestFinished(() => context.close())
    expect(await context.get(Watcher).v2.getAddressBalance({ address })).toBe(5n)
  })
})
