import { Controller, Get, Inject, Injectable, Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { Test } from '@nestjs/testing'
import { createRateLimiter } from '@tonplug/core/toncenter'
import type { RateLimiter } from '@tonplug/core/toncenter'
import request from 'supertest'
import { describe, expect, it, onTestFinished } from 'vitest'
import { TonplugModule } from '../../src/tonplug.module.js'
import { getV3Token, InjectV3 } from '../../src/tonplug.tokens.js'
import { V2Service, V3Service } from '../../src/services.js'
import { address, SEQNO, startMockNode } from '../support/mock-node.js'
import { platforms, startApp } from '../support/start-app.js'

const apiKey = 'key-of-the-tests-0123456789'

@Controller('seqno')
class SeqnoController {
  constructor(private readonly v3: V3Service) {}

  @Get()
  async seqno(): Promise<string> {
    return (await this.v3.masterchainInfo()).last.seqno.toString()
  }
}

const read = async (url: string): Promise<string> => (await request(url).get('')).text

describe.each(platforms)('V3Service, %s', (platform) => {
  it('is injected by its class, with the options of the module', async () => {
    const { baseUrl, requests } = await startMockNode()
    @Module({
      imports: [TonplugModule.forRoot({ baseUrl, apiKey })],
      controllers: [SeqnoController],
    })
    class AppModule {}
    const { app, url } = await startApp(AppModule, { platform })
    expect(requests).toEqual([])
    expect(await read(`${url}/seqno`)).toBe(String(SEQNO))
    expect(requests).toMatchObject([{ path: '/masterchainInfo', apiKey }])
    expect(app.get(V3Service, { strict: false })).toBeInstanceOf(V3Service)
  })

  it('is injectable in every module with isGlobal and options of a factory', async () => {
    const { baseUrl } = await startMockNode()
    @Module({ controllers: [SeqnoController] })
    class FeatureModule {}
    @Module({
      imports: [
        FeatureModule,
        TonplugModule.forRootAsync({ isGlobal: true, useFactory: async () => ({ baseUrl }) }),
      ],
    })
    class AppModule {}
    const { url } = await startApp(AppModule, { platform })
    expect(await read(`${url}/seqno`)).toBe(String(SEQNO))
  })

  it('shares the rate limit with V2Service, but not with other instances', async () => {
    const [main, wholesale] = [await startMockNode(), await startMockNode()]
    const limited: string[] = []
    const limiterOf = (name: string) => {
      const limiter = createRateLimiter({ rps: Infinity })
      return {
        acquire: async (slot: Parameters<RateLimiter['acquire']>[0]) => {
          limited.push(name)
          await limiter.acquire(slot)
        },
        pause: (ms: number) => limiter.pause(ms),
      }
    }
    @Injectable()
    class Clients {
      constructor(
        readonly v2: V2Service,
        readonly v3: V3Service,
        @InjectV3('wholesale') readonly wholesale: V3Service,
      ) {}
    }
    @Module({
      imports: [
        TonplugModule.forRoot({ baseUrl: main.baseUrl, limiter: limiterOf('main') }),
        TonplugModule.forRoot({
          name: 'wholesale',
          baseUrl: wholesale.baseUrl,
          apiKey: 'key-of-wholesale',
          limiter: limiterOf('wholesale'),
        }),
      ],
      providers: [Clients],
    })
    class AppModule {}
    const { app } = await startApp(AppModule, { platform })
    const clients = app.get(Clients)
    await clients.v2.getAddressBalance({ address })
    await clients.v3.masterchainInfo()
    await clients.wholesale.masterchainInfo()
    expect(limited).toEqual(['main', 'main', 'wholesale'])
    expect(main.requests.map(({ path }) => path)).toEqual([
      '/getAddressBalance',
      '/masterchainInfo',
    ])
    expect(wholesale.requests).toMatchObject([
      { path: '/masterchainInfo', apiKey: 'key-of-wholesale' },
    ])
  })
})

describe('V3Service in tests and workers', () => {
  it('is overridden in a testing module by class or token', async () => {
    const standIn = { masterchainInfo: async () => ({ last: { seqno: 42 } }) }
    for (const token of [V3Service, getV3Token()]) {
      const module = await Test.createTestingModule({
        imports: [TonplugModule.forRoot({})],
        controllers: [SeqnoController],
      })
        .overrideProvider(token)
        .useValue(standIn)
        .compile()
      expect(await module.get(SeqnoController).seqno()).toBe('42')
    }
  })

  it('is available in an application context, in factories and by name', async () => {
    const { baseUrl } = await startMockNode()
    @Injectable()
    class Watcher {
      constructor(
        @Inject('v3') readonly v3: V3Service,
        @InjectV3('testnet') readonly testnet: V3Service,
      ) {}
    }
    const v3 = { provide: 'v3', inject: [V3Service], useFactory: (service: V3Service) => service }
    @Module({
      imports: [
        TonplugModule.forRoot({ baseUrl }),
        TonplugModule.forRoot({ name: 'testnet', baseUrl }),
      ],
      providers: [Watcher, v3],
    })
    class AppModule {}
    const context = await NestFactory.createApplicationContext(AppModule, {
      logger: false,
      abortOnError: false,
    })
    onTestFinished(() => context.close())
    const watcher = context.get(Watcher)
    expect((await watcher.v3.masterchainInfo()).last.seqno).toBe(SEQNO)
    expect((await watcher.testnet.masterchainInfo()).last.seqno).toBe(SEQNO)
    expect(watcher.testnet).not.toBe(watcher.v3)
  })
})
