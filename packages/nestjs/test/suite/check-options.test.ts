import { Module } from '@nestjs/common'
import type { DynamicModule } from '@nestjs/common'
import { memoryInbox, systemClock } from '@tonplug/core'
import { createRateLimiter, createStream, createTransferClient } from '@tonplug/core/toncenter'
import type { TaskQueue } from '@tonplug/core'
import { describe, expect, it } from 'vitest'
import { TonplugModule } from '../../src/tonplug.module.js'
import type {
  TonplugModuleAsyncOptions,
  TonplugModuleOptions,
  TonplugOptions,
  TonplugPaymentsOptions,
  TonplugWatcherOptions,
  TonplugWebhookOptions,
} from '../../src/tonplug.options.js'
import { startApp } from '../support/start-app.js'
import { createShop, optionsOf } from '../support/shop.js'

const wallet = '0QApAdacOHpJfIJ01ztI2pzn9rjZHCGcvQwGSOjgAm3E5eKf'

async function start(importModule: () => DynamicModule): Promise<void> {
  @Module({ imports: [importModule()] })
  class AppModule {}
  await startApp(AppModule, { platform: 'express' })
}

/** Returns the options of an instance with further ones, as callers without type checks can pass them. */
function optionsWith(more: object, payments: object = {}): TonplugOptions {
  return { ...optionsOf(createShop(), { wallets: [wallet], ...payments }), ...more }
}

function refusal(message: string): unknown {
  return expect.objectContaining({
    code: 'ERR_TONPLUG_CONFIGURATION',
    message: expect.stringContaining(message),
  })
}

const misspelled: [string, TonplugOptions][] = [
  ['apikey: is not an option here; did you mean apiKey?', optionsWith({ apikey: 'key' })],
  ['webhooks: is not an option here; did you mean webhook?', optionsWith({ webhooks: {} })],
  ['zzzzzzzzzzzz: is not an option here; it takes ', optionsWith({ zzzzzzzzzzzz: 1 })],
  [
    'payments.verifyOnchain: is not an option here; did you mean verifyOnChain?',
    optionsWith({}, { verifyOnchain: true }),
  ],
  [
    'payments.wallet: is not an option here; did you mean wallets?',
    optionsWith({}, { wallet: [wallet] }),
  ],
  [
    'webhook.secret: is not an option here; did you mean secrets?',
    optionsWith({ webhook: { secret: 'whsec_a' } }),
  ],
  [
    'webhook.orders: is not an option here; it takes ',
    optionsWith({ webhook: { secrets: 'whsec_a', orders: {} } }),
  ],
  [
    'webhook.path: is not an option here; it takes ',
    optionsWith({ webhook: { secrets: 'whsec_a', path: 'webhooks/ton' } }),
  ],
  [
    'payments.handlerRetry.maxAttempt: is not an option here; did you mean maxAttempts?',
    optionsWith({}, { handlerRetry: { maxAttempt: 1 } }),
  ],
  [
    'watcher.maxInterval: is not an option here; did you mean maxIntervalMs?',
    optionsWith({ watcher: { maxInterval: 1000 } }),
  ],
  ['watcher: must be true, false or the options of a watcher', optionsWith({ watcher: 5 })],
]

describe('a misspelled option', () => {
  it.each(misspelled)('is rejected in forRoot: %s', async (message, options) => {
    await expect(start(() => TonplugModule.forRoot(options))).rejects.toEqual(refusal(message))
  })

  it.each(misspelled)('is rejected in the result of a factory: %s', async (message, options) => {
    const importModule = () => TonplugModule.forRootAsync({ useFactory: () => options })
    await expect(start(importModule)).rejects.toEqual(refusal(message))
  })
})

describe('an invalid value', () => {
  it.each<[string, TonplugOptions]>([
    ['payments: must be an object; received null', optionsWith({ payments: null })],
    ['webhook: must be an object; received null', optionsWith({ webhook: null })],
    [
      'payments.verifyOnChain: must be the result of createPaymentVerifier()',
      optionsWith({}, { verifyOnChain: null }),
    ],
    [
      'payments.verifyOnChain: must be the result of createPaymentVerifier()',
      optionsWith({}, { verifyOnChain: 'true' }),
    ],
    ['payments.inbox: must be an Inbox; received null', optionsWith({}, { inbox: null })],
    [
      'payments.inbox: must be an Inbox; received a string of 18 characters',
      optionsWith({}, { inbox: 'postgres://a:b@c/d' }),
    ],
    ['payments.logger: must be a Logger; received null', optionsWith({}, { logger: null })],
    ['options: must be an object; received null', null as never],
  ])('is rejected: %s', async (message, options) => {
    const path = 'webhooks/ton'
    const importModule = () => TonplugModule.forRootAsync({ path, useFactory: () => options })
    await expect(start(importModule)).rejects.toEqual(refusal(message))
  })

  it('is rejected with the name of its instance', async () => {
    const given = { name: 'euros', ...optionsWith({}, { verifyOnChain: null }) }
    await expect(start(() => TonplugModule.forRoot(given))).rejects.toEqual(
      refusal("payments.verifyOnChain of 'euros': must be"),
    )
  })
})

describe('a misplaced option', () => {
  it.each(['name', 'path', 'isGlobal'])('is rejected when a factory returns %s', async (option) => {
    const useFactory = () => optionsWith({ [option]: 'webhooks' })
    await expect(start(() => TonplugModule.forRootAsync({ useFactory }))).rejects.toEqual(
      refusal(`${option}: is not an option here; `),
    )
  })
})

describe('all options', () => {
  const { orders, logger } = createShop()
  const watcher: Required<TonplugWatcherOptions> = {
    matchBy: ['body'],
    transfers: createTransferClient({ network: 'testnet' }),
    stream: createStream({ baseUrl: 'http://127.0.0.1:9' }),
    commentOf: ({ reference }) => reference,
    minIntervalMs: 1000,
    maxIntervalMs: 1000,
    fullScanIntervalMs: 1000,
    cursor: {
      load: async () => undefined,
      save: async () => undefined,
      acquire: async () => true,
      release: async () => undefined,
    },
  }
  const queue: TaskQueue = {
    name: 'queue',
    add: async () => undefined,
    work: async () => ({ stop: async () => undefined }),
  }
  const payments: Required<TonplugPaymentsOptions> = {
    orders,
    inbox: memoryInbox(),
    wallets: [wallet],
    amounts: () => true,
    acceptLate: () => true,
    rules: [],
    verifyOnChain: true,
    queue,
    handlerConcurrency: 1,
    handlerRetry: { maxAttempts: 1, minDelayMs: 10, maxDelayMs: 10 },
    handlerTimeoutMs: 1000,
    retentionMs: 1000,
    idlePollMs: 60_000,
    drainTimeoutMs: 1000,
    clock: systemClock,
    logger,
  }
  const webhook: Required<TonplugWebhookOptions> = {
    secrets: 'whsec_a',
    unsupportedEvent: 'reject',
    maxAgeMs: 1000,
    staleDelivery: 'reject',
    signatureHeaders: ['x-pay-signature'],
    signatureEncoding: 'hex',
    maxBodyBytes: 1000,
    deadlineMs: 1000,
    drainTimeoutMs: 1000,
  }
  // `baseUrl` replaces `network`, and `limiter` replaces `rps`.
  const options: Required<Omit<TonplugModuleOptions, 'network' | 'rps'>> = {
    payments,
    webhook,
    watcher,
    baseUrl: 'http://127.0.0.1:9',
    apiKey: 'key-of-the-tests-0123456789',
    jsonRpc: true,
    wallet,
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
    decorators: [],
    isGlobal: true,
  }

  it('are accepted by forRoot', async () => {
    await expect(start(() => TonplugModule.forRoot(options))).resolves.toBeUndefined()
  })

  it('are accepted with network and rps instead of baseUrl and limiter', async () => {
    const { baseUrl: _, limiter: __, ...others } = options
    const given = { ...others, network: 'testnet', rps: 1 } as const
    await expect(start(() => TonplugModule.forRoot(given))).resolves.toBeUndefined()
  })

  it('are accepted from a factory', async () => {
    const { name, path, decorators, isGlobal, ...returned } = options
    const given: Required<Omit<TonplugModuleAsyncOptions, 'useClass' | 'useExisting'>> = {
      name,
      path,
      decorators,
      isGlobal,
      imports: [],
      inject: [],
      provideInjectionTokensFrom: [],
      useFactory: () => returned,
    }
    await expect(start(() => TonplugModule.forRootAsync(given))).resolves.toBeUndefined()
  })
})
