import { Controller, Get, Inject, Injectable, Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { Test } from '@nestjs/testing'
import { createRateLimiter } from '@tonplug/core'
import type { SlotRequest } from '@tonplug/core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { TonplugModule } from '../../src/tonplug.module.js'
import { getV3Token, InjectV3 } from '../../src/tonplug.tokens.js'
import { V2Service } from '../../src/v2.service.js'
import { V3Service } from '../../src/v3.service.js'
import { address, SEQNO, startApi } from '../support/api-server.js'
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

const read = async (url: string): Promise<string> => (await fetch(url)).text()

describe.each(platforms)('V3Service, %s', (platform) => {
  it('is injected by its class, with the options of the module', async () => {
    const { baseUrl, arrived } = await startApi()
    @Module({
      imports: [TonplugModule.forRoot({ baseUrl, apiKey })],
      controllers: [SeqnoController],
    })
    class AppModule {}
    const { app, url } = await startApp(AppModule, { platform })
    expect(arrived).toEqual([])
    expect(await read(`${url}/seqno`)).toBe(String(SEQNO))
    expect(arrived).toEqual([{ endpoint: 'masterchainInfo', apiKey }])
    expect(app.get(V3Service, { strict: false })).toBeInstanceOf(V3Service)
  })

  it('is there for everybody with isGlobal, from options that a factory made', async () => {
    const { baseUrl } = await startApi()
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

  it('shares the rate limit with V2Service, and no other instance does', async () => {
    const [main, wholesale] = [await startApi(), await startApi()]
    const limited: string[] = []
    const limiterOf = (name: string) => {
      const limiter = createRateLimiter({ rps: Infinity })
      return {
        acquire: async (slot: SlotRequest) => {
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
    expect(main.arrived.map(({ endpoint }) => endpoint)).toEqual([
      'getAddressBalance',
      'masterchainInfo',
    ])
    expect(wholesale.arrived).toEqual([{ endpoint: 'masterchainInfo', apiKey: 'key-of-wholesale' }])
  })
})

describe('in tests and workers', () => {
  it('a testing module replaces it by class or token', async () => {
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

  it('an application context has it, also for factories and by name', async () => {
    const { baseUrl } = await startApi()
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
