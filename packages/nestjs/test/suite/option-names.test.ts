import { Module } from '@nestjs/common'
import type { DynamicModule } from '@nestjs/common'
import { createRateLimiter, memoryInbox, memoryJobQueue, systemClock } from '@tonplug/core'
import { describe, expect, it } from 'vitest'
import { TonplugModule } from '../../src/tonplug.module.js'
import type {
  ReconcileOptions,
  TonplugModuleAsyncOptions,
  TonplugModuleOptions,
  TonplugOptions,
  VerifyOnChainOptions,
  WebhookOptions,
} from '../../src/tonplug.options.js'
import { OnTransferPaid } from '../../src/webhook/handlers.decorators.js'
import { WebhookController } from '../../src/webhook/webhook-controller.decorator.js'
import { startApp } from '../support/start-app.js'
import { createShop, webhookOf } from '../support/shop.js'

const wallet = '0QApAdacOHpJfIJ01ztI2pzn9rjZHCGcvQwGSOjgAm3E5eKf'

async function start(importModule: () => DynamicModule): Promise<void> {
  @Module({ imports: [importModule()] })
  class AppModule {}
  await startApp(AppModule, { platform: 'express' })
}

/** The options of an instance with more in them, as somebody without types gives them. */
function optionsWith(more: object, webhook: object = {}): TonplugOptions {
  return { webhook: { ...webhookOf(createShop()), recipients: [wallet], ...webhook }, ...more }
}

function refusal(message: string): unknown {
  return expect.objectContaining({
    code: 'ERR_TONPLUG_CONFIGURATION',
    message: expect.stringContaining(message),
  })
}

const misspelt: [string, TonplugOptions][] = [
  ['apikey: is not an option here; did you mean apiKey?', optionsWith({ apikey: 'key' })],
  ['webhooks: is not an option here; did you mean webhook?', optionsWith({ webhooks: {} })],
  ['zzzzzzzzzzzz: is not an option here; it takes ', optionsWith({ zzzzzzzzzzzz: 1 })],
  [
    'apikey: is not an option here; did you mean apiKey?',
    optionsWith({ gateway: { apikey: 'key' } }),
  ],
  [
    'webhook.verifyOnchain: is not an option here; did you mean verifyOnChain?',
    optionsWith({}, { verifyOnchain: true }),
  ],
  [
    'webhook.recipient: is not an option here; did you mean recipients?',
    optionsWith({}, { recipient: [wallet] }),
  ],
  [
    'webhook.onPaid: is no option here: decorate a method of a provider with @OnTransferPaid()',
    optionsWith({}, { onPaid: () => undefined }),
  ],
  ['webhook.name: is no option here: give it to the module', optionsWith({}, { name: 'euros' })],
  [
    'handlerRetry.maxAttempt: is not an option here; did you mean maxAttempts?',
    optionsWith({}, { handlerRetry: { maxAttempt: 1 } }),
  ],
  [
    'verifyOnChain.deadline: is not an option here; did you mean deadlineMs?',
    optionsWith({}, { verifyOnChain: { deadline: 1000 } }),
  ],
  [
    'verifyOnChain.v3: is no option here: it is that of the module',
    optionsWith({}, { verifyOnChain: { v3: {} } }),
  ],
  [
    'reconcile.every: is not an option here; did you mean everyMs?',
    optionsWith({}, { reconcile: { every: 1000 } }),
  ],
]

describe('a misspelt option', () => {
  it.each(misspelt)('of forRoot: %s', async (message, options) => {
    await expect(start(() => TonplugModule.forRoot(options))).rejects.toEqual(refusal(message))
  })

  it.each(misspelt)('of what a factory returns: %s', async (message, options) => {
    const importModule = () => TonplugModule.forRootAsync({ useFactory: () => options })
    await expect(start(importModule)).rejects.toEqual(refusal(message))
  })

  it.each<[string, object]>([
    ['paht: is not an option here; did you mean path?', { paht: 'webhooks/ton' }],
    ['isglobal: is not an option here; did you mean isGlobal?', { isglobal: true }],
  ])('beside the options: %s', async (message, more) => {
    const sync = () => TonplugModule.forRoot({ ...optionsWith({}), ...more })
    await expect(start(sync)).rejects.toEqual(refusal(message))
    const async = () => TonplugModule.forRootAsync({ useFactory: () => optionsWith({}), ...more })
    await expect(start(async)).rejects.toEqual(refusal(message))
  })

  it('of a decorator is refused, since the method would wait for events of another instance', () => {
    const options: object = { nam: 'euros' }
    expect(() => OnTransferPaid(options)).toThrow('nam: is not an option here; did you mean name?')
  })
})

describe('a value that is no object', () => {
  it.each<[string, TonplugOptions]>([
    ['webhook: is null; give an object', { webhook: null as never }],
    ['webhook: is a string; give an object', { webhook: 'whsec_secret' as never }],
    ['verifyOnChain: is null; give true, the', optionsWith({}, { verifyOnChain: null })],
    ['verifyOnChain: is a string; give true, the', optionsWith({}, { verifyOnChain: 'true' })],
    ['reconcile: is null; give an object', optionsWith({}, { reconcile: null })],
    ['inbox: is null; give an inbox, or', optionsWith({}, { inbox: null })],
    ['inbox: is a string; give an inbox, or', optionsWith({}, { inbox: 'postgres://a:b@c/d' })],
    ['logger: is null; give a logger, or', optionsWith({}, { logger: null })],
    ['options: is null; give an object', null as never],
  ])('%s', async (message, options) => {
    const path = 'webhooks/ton'
    const importModule = () => TonplugModule.forRootAsync({ path, useFactory: () => options })
    await expect(start(importModule)).rejects.toEqual(refusal(message))
  })

  it('says whose it is', async () => {
    const given = { name: 'euros', ...optionsWith({}, { verifyOnChain: null }) }
    await expect(start(() => TonplugModule.forRoot(given))).rejects.toEqual(
      refusal("verifyOnChain of 'euros': is null"),
    )
  })

  it.each([[undefined], [null], [{ name: 'euros' }], [{ path: undefined }]])(
    'of @WebhookController: %j',
    (given) => {
      expect(() => WebhookController(given as never)).toThrow(
        "@WebhookController: has no path, or several; give the webhook's, such as",
      )
    },
  )
})

describe('an option at the wrong place', () => {
  it.each(['name', 'path', 'isGlobal'])('is refused: %s of a factory', async (option) => {
    const useFactory = () => optionsWith({ [option]: 'webhooks' })
    await expect(start(() => TonplugModule.forRootAsync({ useFactory }))).rejects.toEqual(
      refusal(`${option}: is no option here: give it to forRootAsync, beside useFactory`),
    )
  })

  it('is refused: webhook beside a factory', async () => {
    const given: TonplugModuleAsyncOptions = { useFactory: () => ({}), ...optionsWith({}) }
    await expect(start(() => TonplugModule.forRootAsync(given))).rejects.toEqual(
      refusal('webhook: is no option here: return it from the factory'),
    )
  })
})

describe('the options that there are', () => {
  const shop = createShop()
  const verifyOnChain: Required<VerifyOnChainOptions> = { deadlineMs: 1000, feeAllowance: 0n }
  const reconcile: Required<ReconcileOptions> = {
    matchBy: ['body'],
    commentOf: ({ reference }) => reference,
    minAgeMs: 1000,
    overlapMs: 1000,
    everyMs: 1000,
    fullEveryMs: 1000,
    maxRunMs: 1000,
    drainTimeoutMs: 1000,
    lookupsPerRun: 1,
    cursor: { load: async () => undefined, save: async () => undefined },
  }
  const webhook: Required<WebhookOptions> = {
    ...webhookOf(shop),
    inbox: memoryInbox(),
    jobs: memoryJobQueue(),
    recipients: [wallet],
    acceptAmount: () => true,
    rules: [],
    verifyOnChain,
    reconcile,
    unsupportedEvent: 'reject',
    maxAgeMs: 1000,
    staleDelivery: 'reject',
    signatureHeaders: ['x-pay-signature'],
    signatureEncoding: 'hex',
    maxBodyBytes: 1000,
    deadlineMs: 1000,
    handlerRetry: { maxAttempts: 1, minDelayMs: 10, maxDelayMs: 10 },
    retentionMs: 1000,
    handlerTimeoutMs: 1000,
    drainTimeoutMs: 1000,
    clock: systemClock,
  }
  // An address stands for the network, and a limiter for the rate.
  const options: Required<Omit<TonplugModuleOptions, 'network' | 'rps'>> = {
    webhook,
    baseUrl: 'http://127.0.0.1:9',
    apiKey: 'key-of-the-tests-0123456789',
    gateway: { network: 'testnet' },
    jsonRpc: true,
    limiter: createRateLimiter({ rps: 10 }),
    retry: {},
    timeoutMs: 1000,
    deadlineMs: 1000,
    maxBodyBytes: 1000,
    fetch,
    clock: systemClock,
    random: Math.random,
    hooks: {},
    instrumentation: {},
    name: 'euros',
    path: 'webhooks/ton',
    isGlobal: true,
  }

  it('are all taken by forRoot', async () => {
    await expect(start(() => TonplugModule.forRoot(options))).resolves.toBeUndefined()
  })

  it('are taken with a network and a rate in place of an address and a limiter', async () => {
    const { baseUrl: _, limiter: __, ...others } = options
    const given = { ...others, network: 'testnet', rps: 1 } as const
    await expect(start(() => TonplugModule.forRoot(given))).resolves.toBeUndefined()
  })

  it('are all taken from a factory', async () => {
    const { name, path, isGlobal, ...made } = options
    const given: Required<Omit<TonplugModuleAsyncOptions, 'useClass' | 'useExisting'>> = {
      name,
      path,
      isGlobal,
      imports: [],
      inject: [],
      provideInjectionTokensFrom: [],
      useFactory: () => made,
    }
    await expect(start(() => TonplugModule.forRootAsync(given))).resolves.toBeUndefined()
  })
})
