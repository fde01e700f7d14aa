import { metrics, trace } from '@opentelemetry/api'
import {
  createPaymentVerifier,
  createPayments,
  createPaymentWatcher,
  createWebhookReceiver,
  memoryInbox,
  memoryOrderRepository,
  systemClock,
  type PaymentsOptions,
  type PaymentWatcherOptions,
  type TaskQueue,
  type CursorStore,
  type WebhookReceiverOptions,
  type PaymentWatcher,
} from '@tonplug/core'
import { createOperator } from '@tonplug/core/operator'
import {
  createStream,
  createTransferClient,
  createV2Client,
  createV3Client,
} from '@tonplug/core/toncenter'
import { openTelemetryInstrumentation } from '@tonplug/core/opentelemetry'
import { createTestLogger } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'

const wallet = '0QApAdacOHpJfIJ01ztI2pzn9rjZHCGcvQwGSOjgAm3E5eKf'
const orders = memoryOrderRepository()
const v3 = createV3Client({ network: 'testnet' })
const noop = (): undefined => undefined

const queue: TaskQueue = {
  name: 'none',
  add: async () => undefined,
  work: async () => ({ stop: async () => undefined }),
}
const cursor: CursorStore = {
  load: async () => undefined,
  save: async () => undefined,
  acquire: async () => true,
  release: async () => undefined,
}

const handlerRetry: Required<PaymentsOptions['handlerRetry'] & {}> = {
  maxAttempts: 3,
  minDelayMs: 10,
  maxDelayMs: 100,
}
// `sources` replaces `v3`.
const proofOptions: Required<Omit<Parameters<typeof createPaymentVerifier>[0], 'v3'>> = {
  sources: [v3, createV3Client({ network: 'testnet' })],
  require: 2,
  deadlineMs: 1000,
  feeAllowance: 0n,
  clock: systemClock,
}

// Every option has a value, or this file does not compile.
const paymentsOptions: Required<PaymentsOptions> = {
  name: 'shop',
  orders,
  inbox: memoryInbox(),
  wallets: [wallet],
  amounts: () => true,
  acceptLate: () => true,
  rules: [],
  verifyOnChain: createPaymentVerifier(proofOptions),
  queue,
  handlerConcurrency: 2,
  handlerRetry,
  retentionMs: 1000,
  handlerTimeoutMs: 1000,
  idlePollMs: 1000,
  drainTimeoutMs: 1000,
  autoStart: false,
  instrumentation: {},
  clock: systemClock,
  logger: createTestLogger(),
  onPaid: noop,
  onFailed: noop,
  onMismatch: noop,
  onExtraPayment: noop,
  onUnknownOrder: noop,
  onUnverified: noop,
}
const payments = createPayments(paymentsOptions)
const receiverOptions: Required<WebhookReceiverOptions> = {
  payments,
  secrets: 'whsec_names',
  unsupportedEvent: 'reject',
  maxAgeMs: 1000,
  staleDelivery: 'reject',
  signatureHeaders: ['x-pay-signature'],
  signatureEncoding: 'hex',
  maxBodyBytes: 1000,
  deadlineMs: 1000,
  drainTimeoutMs: 1000,
}
const watcherOptions: Required<PaymentWatcherOptions> = {
  payments,
  v3,
  stream: createStream({ network: 'testnet' }),
  transfers: createTransferClient({ network: 'testnet' }),
  matchBy: ['body'],
  commentOf: ({ reference }) => reference,
  minIntervalMs: 1000,
  maxIntervalMs: 1000,
  fullScanIntervalMs: 1000,
  cursor,
}
const paymentsHealth: Required<Parameters<typeof payments.health>[0] & {}> = {
  timeoutMs: 1000,
  maxWaitMs: 1000,
  maxQueuedMs: 1000,
}
const watcherHealth: Required<Parameters<PaymentWatcher['health']>[0] & {}> = {
  maxOpenAgeMs: 1000,
  maxIncompleteMs: 1000,
}

type Create = (options: never) => unknown

/** Each creator with all its options. */
const creators: Record<string, { create: Create; all: object }> = {
  createWebhookReceiver: { create: createWebhookReceiver, all: receiverOptions },
  createPaymentVerifier: { create: createPaymentVerifier, all: proofOptions },
  createPayments: { create: createPayments, all: paymentsOptions },
  createPaymentWatcher: { create: createPaymentWatcher, all: watcherOptions },
  openTelemetryInstrumentation: {
    create: openTelemetryInstrumentation,
    all: { meterProvider: metrics, tracerProvider: trace },
  },
  createStream: { create: createStream, all: { network: 'testnet', transport: 'sse' } },
  createTransferClient: { create: createTransferClient, all: { network: 'testnet', rps: 1 } },
  createV2Client: { create: createV2Client, all: { network: 'testnet', jsonRpc: true } },
  createV3Client: { create: createV3Client, all: { network: 'testnet' } },
}

/** Calls a creator as JavaScript does, without types. */
function createWith(name: string, more: object): unknown {
  const { create, all } = creators[name]!
  return create({ ...all, ...more } as never)
}

describe.each(Object.keys(creators))('%s', (name) => {
  it('accepts all its options', () => {
    expect(() => createWith(name, {})).not.toThrow()
  })

  it('rejects an unknown option, and lists all known ones', () => {
    const known = Object.keys(creators[name]!.all)[0]!
    expect(() => createWith(name, { zzzzzzzzzzzzzzzz: 1 })).toThrow(
      expect.objectContaining({
        code: 'ERR_TONPLUG_CONFIGURATION',
        details: { option: 'zzzzzzzzzzzzzzzz' },
        message: expect.stringMatching(
          new RegExp(`^zzzzzzzzzzzzzzzz: is not an option here; it takes .*${known}`),
        ),
      }),
    )
  })

  it('ignores undefined options, symbols and prototypes', () => {
    const { create, all } = creators[name]!
    const inherited = Object.create({ zzzzzzzzzzzzzzzz: 1 }) as object
    const options = Object.assign(inherited, all, {
      undefinedOption: undefined,
      [Symbol('of a library')]: 1,
    })
    expect(() => create(options as never)).not.toThrow()
  })
})

describe('a misspelt option', () => {
  it.each([
    ['createPayments', 'verifyOnchain', 'verifyOnChain'],
    ['createPayments', 'wallet', 'wallets'],
    ['createWebhookReceiver', 'maxAge', 'maxAgeMs'],
    ['createPayments', 'onpaid', 'onPaid'],
    ['createPayments', 'onMismatched', 'onMismatch'],
    ['createWebhookReceiver', 'secret', 'secrets'],
    ['createPaymentVerifier', 'feeAlowance', 'feeAllowance'],
    ['createPaymentWatcher', 'maxInterval', 'maxIntervalMs'],
    ['openTelemetryInstrumentation', 'metricProvider', 'meterProvider'],
    ['createTransferClient', 'apikey', 'apiKey'],
    ['createV2Client', 'jsonRPC', 'jsonRpc'],
    ['createV3Client', 'baseURL', 'baseUrl'],
  ])('is rejected in %s: %s, and %s is suggested', (name, option, meant) => {
    expect(() => createWith(name, { [option]: 1 })).toThrow(
      expect.objectContaining({
        code: 'ERR_TONPLUG_CONFIGURATION',
        details: { option },
        message: `${option}: is not an option here; did you mean ${meant}?`,
      }),
    )
  })

  it('is named with its place within handlerRetry', () => {
    const options = { ...paymentsOptions, handlerRetry: { ...handlerRetry, maxAttempt: 1 } }
    expect(() => createPayments(options)).toThrow(
      'handlerRetry.maxAttempt: is not an option here; did you mean maxAttempts?',
    )
  })

  it('is rejected in a health check when it is called', async () => {
    const watcher = createPaymentWatcher(watcherOptions)
    await expect(payments.health(paymentsHealth)).resolves.toBeDefined()
    await expect(watcher.health(watcherHealth)).resolves.toBeDefined()
    await expect(payments.health({ maxWait: 1 } as object)).rejects.toThrow(
      'maxWait: is not an option here; did you mean maxWaitMs?',
    )
    await expect(watcher.health({ maxOpenAge: 1 } as object)).rejects.toThrow(
      'maxOpenAge: is not an option here; did you mean maxOpenAgeMs?',
    )
  })
})

describe('the filter of operator.reprocess', () => {
  it.each<[object, string]>([
    [
      {},
      'filter: is empty; expected at least one of reportId, merchant, reference, state, decision, receivedAfterMs',
    ],
    [{ merchant: undefined }, 'filter: is empty; expected at least one of'],
    [{ refrence: 'order-1' }, 'filter.refrence: is not an option here; did you mean reference?'],
  ])('is rejected when it is %j', async (filter, message) => {
    await expect(createOperator({ payments }).reprocess(filter, { by: 'ann' })).rejects.toThrow(
      message,
    )
  })
})

describe('no options at all', () => {
  it('are rejected', () => {
    expect(() => createWebhookReceiver(undefined as never)).toThrow('options: must be an object')
  })
})
