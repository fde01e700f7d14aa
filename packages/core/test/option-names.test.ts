import { metrics, trace } from '@opentelemetry/api'
import {
  createFoundTransferStore,
  createPaymentProof,
  createReconciler,
  createTransferClient,
  createV2Client,
  createV3Client,
  createWebhookReceiver,
  memoryInbox,
  memoryJobQueue,
  memoryOrderRepository,
  systemClock,
  type FoundTransferStoreOptions,
  type HandlerRetryOptions,
  type PaymentProofOptions,
  type ReconcilerHealthOptions,
  type ReconcilerOptions,
  type ReceiverHealthOptions,
  type WebhookReceiverOptions,
} from '@tonplug/core'
import { openTelemetryInstrumentation } from '@tonplug/core/opentelemetry'
import { recordingLogger } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'

const wallet = '0QApAdacOHpJfIJ01ztI2pzn9rjZHCGcvQwGSOjgAm3E5eKf'
const orders = memoryOrderRepository()
const v3 = createV3Client({ network: 'testnet' })
const noop = (): undefined => undefined

const handlerRetry: Required<HandlerRetryOptions> = {
  maxAttempts: 3,
  minDelayMs: 10,
  maxDelayMs: 100,
}
const proofOptions: Required<PaymentProofOptions> = { v3, deadlineMs: 1000, feeAllowance: 0n }

// Every option has a value, or this file does not compile.
const receiverOptions: Required<WebhookReceiverOptions> = {
  name: 'shop',
  secrets: 'whsec_names',
  orders,
  inbox: memoryInbox(),
  jobs: memoryJobQueue(),
  recipients: [wallet],
  acceptAmount: () => true,
  rules: [],
  verifyOnChain: createPaymentProof(proofOptions),
  unsupportedEvent: 'reject',
  maxAgeMs: 1000,
  staleDelivery: 'reject',
  signatureHeaders: ['x-pay-signature'],
  signatureEncoding: 'hex',
  maxBodyBytes: 1000,
  deadlineMs: 1000,
  handlerRetry,
  retentionMs: 1000,
  handlerTimeoutMs: 1000,
  drainTimeoutMs: 1000,
  autoStart: false,
  instrumentation: {},
  clock: systemClock,
  logger: recordingLogger(),
  onPaid: noop,
  onFailed: noop,
  onMismatched: noop,
  onUnmatched: noop,
  onExtraPayment: noop,
  onUnverified: noop,
  onLostWebhook: noop,
  onUnderpaid: noop,
  onOverpaid: noop,
  onPaidTwice: noop,
  onPaidLate: noop,
  onPaidEarly: noop,
  onWrongAsset: noop,
}
const receiver = createWebhookReceiver(receiverOptions)
const reconcilerOptions: Required<ReconcilerOptions> = {
  receiver,
  orders,
  v3,
  transfers: createTransferClient({ network: 'testnet' }),
  matchBy: ['body'],
  commentOf: ({ reference }) => reference,
  minAgeMs: 1000,
  overlapMs: 1000,
  everyMs: 1000,
  fullEveryMs: 1000,
  maxRunMs: 1000,
  drainTimeoutMs: 1000,
  lookupsPerRun: 1,
  jobs: memoryJobQueue(),
  cursor: { load: async () => undefined, save: async () => undefined },
  clock: systemClock,
  logger: recordingLogger(),
}
const receiverHealth: Required<ReceiverHealthOptions> = { timeoutMs: 1000, maxWaitMs: 1000 }
const reconcilerHealth: Required<ReconcilerHealthOptions> = {
  maxOpenAgeMs: 1000,
  maxIncompleteMs: 1000,
}

const storeOptions: Required<FoundTransferStoreOptions> = {
  inbox: { ...memoryInbox(), isDurable: true },
  orders,
  name: 'shop',
  recipients: [wallet],
  clock: systemClock,
}

type Create = (options: never) => unknown

/** Each creator with all its options. */
const creators: Record<string, { create: Create; all: object }> = {
  createWebhookReceiver: { create: createWebhookReceiver, all: receiverOptions },
  createPaymentProof: { create: createPaymentProof, all: proofOptions },
  createReconciler: { create: createReconciler, all: reconcilerOptions },
  createFoundTransferStore: { create: createFoundTransferStore, all: storeOptions },
  openTelemetryInstrumentation: {
    create: openTelemetryInstrumentation,
    all: { meterProvider: metrics, tracerProvider: trace },
  },
  createTransferClient: { create: createTransferClient, all: { network: 'testnet', rps: 1 } },
  createV2Client: { create: createV2Client, all: { network: 'testnet', jsonRpc: true } },
  createV3Client: { create: createV3Client, all: { network: 'testnet' } },
}

/** As a caller without types has them. */
function createWith(name: string, more: object): unknown {
  const { create, all } = creators[name]!
  return create({ ...all, ...more } as never)
}

describe.each(Object.keys(creators))('%s', (name) => {
  it('takes all its options', () => {
    expect(() => createWith(name, {})).not.toThrow()
  })

  it('refuses an option that it does not have, and tells all that it has', () => {
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

  it('looks neither at what is undefined, nor at symbols and prototypes', () => {
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
    ['createWebhookReceiver', 'verifyOnchain', 'verifyOnChain'],
    ['createWebhookReceiver', 'recipient', 'recipients'],
    ['createWebhookReceiver', 'maxAge', 'maxAgeMs'],
    ['createWebhookReceiver', 'onpaid', 'onPaid'],
    ['createWebhookReceiver', 'onUnderPaid', 'onUnderpaid'],
    ['createWebhookReceiver', 'secret', 'secrets'],
    ['createPaymentProof', 'feeAlowance', 'feeAllowance'],
    ['createReconciler', 'every', 'everyMs'],
    ['createFoundTransferStore', 'recipient', 'recipients'],
    ['openTelemetryInstrumentation', 'metricProvider', 'meterProvider'],
    ['createTransferClient', 'apikey', 'apiKey'],
    ['createV2Client', 'jsonRPC', 'jsonRpc'],
    ['createV3Client', 'baseURL', 'baseUrl'],
  ])('of %s: %s is refused, and %s suggested', (name, option, meant) => {
    expect(() => createWith(name, { [option]: 1 })).toThrow(
      expect.objectContaining({
        code: 'ERR_TONPLUG_CONFIGURATION',
        details: { option },
        message: `${option}: is not an option here; did you mean ${meant}?`,
      }),
    )
  })

  it('within handlerRetry is named with its place', () => {
    const options = { ...receiverOptions, handlerRetry: { ...handlerRetry, maxAttempt: 1 } }
    expect(() => createWebhookReceiver(options)).toThrow(
      'handlerRetry.maxAttempt: is not an option here; did you mean maxAttempts?',
    )
  })

  it('of a health check is refused when it is asked', async () => {
    const reconciler = createReconciler(reconcilerOptions)
    await expect(receiver.health(receiverHealth)).resolves.toBeDefined()
    await expect(reconciler.health(reconcilerHealth)).resolves.toBeDefined()
    await expect(receiver.health({ maxWait: 1 } as object)).rejects.toThrow(
      'maxWait: is not an option here; did you mean maxWaitMs?',
    )
    await expect(reconciler.health({ maxOpenAge: 1 } as object)).rejects.toThrow(
      'maxOpenAge: is not an option here; did you mean maxOpenAgeMs?',
    )
  })
})

describe('no options at all', () => {
  it('are refused as such', () => {
    expect(() => createWebhookReceiver(undefined as never)).toThrow('options: must be an object')
  })
})
