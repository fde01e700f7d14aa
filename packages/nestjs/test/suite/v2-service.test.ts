import { inspect } from 'node:util'
import { Controller, Get, Inject, Injectable, Module, Param } from '@nestjs/common'
import type { DynamicModule, LoggerService, Type } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { Test } from '@nestjs/testing'
import { createRateLimiter } from '@tonplug/core'
import type { RateLimiter } from '@tonplug/core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { TonplugModule } from '../../src/tonplug.module.js'
import { getV2Token, InjectV2 } from '../../src/tonplug.tokens.js'
import { V2Service } from '../../src/v2.service.js'
import { address, startApi } from '../support/api-server.js'
import { platforms, startApp } from '../support/start-app.js'
import { createShop, deliver, deliveries, webhookOf } from '../support/shop.js'

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

const read = async (url: string): Promise<string> => (await fetch(url)).text()

describe.each(platforms)('V2Service, %s', (platform) => {
  it('is injected by its class, with the options of the module, beside a webhook', async () => {
    const shop = createShop()
    const { baseUrl, arrived } = await startApi({ balance: '1234567890123456789' })
    const { url } = await startApp(
      appWith(
        TonplugModule.forRoot({ baseUrl, apiKey, path: 'webhooks/ton', webhook: webhookOf(shop) }),
      ),
      { platform },
    )
    expect(shop.logger.lines.map(({ message }) => message)).toContain(
      "receives webhooks of 'default' (own servers) at POST /webhooks/ton",
    )
    expect(arrived).toEqual([])
    expect(await read(`${url}/balance/${address}`)).toBe('1234567890123456789')
    expect(arrived).toEqual([{ endpoint: 'getAddressBalance', apiKey }])
    expect(await deliver(`${url}/webhooks/ton`, deliveries.valid)).toMatchObject({ status: 200 })
    expect(await shop.orderStatus()).toBe('completed')
  })

  it('sends all calls through /jsonRPC with jsonRpc', async () => {
    const { baseUrl, arrived } = await startApi({ balance: '5' })
    const module = TonplugModule.forRoot({ baseUrl, apiKey, jsonRpc: true })
    const { url } = await startApp(appWith(module), { platform })
    expect(await read(`${url}/balance/${address}`)).toBe('5')
    expect(arrived).toEqual([{ endpoint: 'jsonRPC', apiKey }])
  })

  it('is there for everybody with isGlobal, from options that a factory made', async () => {
    const { baseUrl, arrived } = await startApi()
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
    expect(arrived).toEqual([{ endpoint: 'getAddressBalance', apiKey }])
    expect(app.get(V2Service)).toBeInstanceOf(V2Service)
  })

  it('S60 named instances have keys, servers and rate limits of their own', async () => {
    const [main, wholesale] = [await startApi({ balance: '1' }), await startApi({ balance: '2' })]
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
    expect(main.arrived).toEqual([{ endpoint: 'getAddressBalance', apiKey }])
    expect(wholesale.arrived).toEqual([
      { endpoint: 'getAddressBalance', apiKey: 'key-of-wholesale' },
    ])
    expect(limited).toEqual(['wholesale', 'main'])
  })

  it("the key is in no line of Nest's log and in no answer, however the server quotes it", async () => {
    const error = `API key ${apiKey} does not exist`
    const { baseUrl } = await startApi({ refusal: { status: 401, error } })
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

  it('one transport serves all who inject it: identical reads in flight are one request', async () => {
    const { baseUrl, arrived } = await startApi({ balance: '7' })
    const { app } = await startApp(appWith(TonplugModule.forRoot({ baseUrl, rps: Infinity })), {
      platform,
    })
    const v2 = app.get(V2Service)
    const other = app.get<V2Service>(getV2Token(), { strict: false })
    expect(
      await Promise.all([v2.getAddressBalance({ address }), other.getAddressBalance({ address })]),
    ).toEqual([7n, 7n])
    expect(arrived).toHaveLength(1)
  })
})

describe('what cannot work is an error at start', () => {
  const start = (module: Type) => startApp(module, { platform: 'express' })

  it.each([
    ['a network that is none', { network: 'tesnet' }, /network: is not/],
    ['two kinds of servers', { network: 'testnet', baseUrl: 'https://a.example' }, /baseUrl: give/],
    ['a key with a line break', { apiKey: 'a\nb' }, /apiKey: holds/],
    ['two limits', { rps: 1, limiter: createRateLimiter({ rps: 1 }) }, /rps: the limiter/],
  ])('%s', async (_name, options, message) => {
    // What a user without type checks could give.
    await expect(start(appWith(TonplugModule.forRoot(options as object)))).rejects.toThrow(message)
  })

  it('V2Service, when every instance has a name', async () => {
    const named = appWith(TonplugModule.forRoot({ name: 'wholesale' }))
    await expect(start(named)).rejects.toThrow(
      /can't resolve dependencies of the BalanceController.*V2Service/,
    )
  })

  it('a name that no instance has', async () => {
    @Injectable()
    class Service {
      constructor(@InjectV2('euros') readonly v2: V2Service) {}
    }
    @Module({ imports: [TonplugModule.forRoot({})], providers: [Service] })
    class AppModule {}
    await expect(start(AppModule)).rejects.toThrow(/Service.*tonplug:v2:euros/)
  })

  it('a second instance under the same name', async () => {
    const twice = appWith(TonplugModule.forRoot({ rps: 1 }), TonplugModule.forRoot({ rps: 2 }))
    await expect(start(twice)).rejects.toThrow(/TonplugModule: is imported twice as 'default'/)
  })
})

describe('in tests and workers', () => {
  it('a testing module replaces it by class or token', async () => {
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

  it('an application context has it, also for factories', async () => {
    const { baseUrl } = await startApi({ balance: '5' })
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
