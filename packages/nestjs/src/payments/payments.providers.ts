import type { Provider } from '@nestjs/common'
import {
  ConfigurationError,
  createPaymentProof,
  createPayments,
  createPaymentWatcher,
  createWebhookReceiver,
  WEBHOOK_DEFAULTS,
} from '@tonplug/core'
import type {
  PaymentProof,
  Payments,
  PaymentWatcher,
  SecretResolver,
  WebhookReceiver,
} from '@tonplug/core'
import { merchants } from '../instances.js'
import type { TonplugInstance, TonplugInstances } from '../instances.js'
import { nameInstance } from '../name-instance.js'
import { createNestLogger } from '../nest-logger.js'
import type { TonplugOptions, TonplugPaymentsOptions } from '../tonplug.options.js'
import {
  getPaymentsToken,
  getReceiverToken,
  getTransferToken,
  getV3Token,
  getWatcherToken,
  INSTANCE,
  INSTANCES,
  TONPLUG_OPTIONS,
} from '../tonplug.tokens.js'
import type { TransferService } from '../transfer.service.js'
import type { V3Service } from '../v3.service.js'

/** Returns the providers of an instance's payments, receiver and watcher; they resolve to `undefined` without the option. */
export function paymentsOf(name: string, path: string | undefined): Provider[] {
  return [
    {
      provide: getPaymentsToken(name),
      inject: [getV3Token(name), TONPLUG_OPTIONS],
      useFactory: (v3: V3Service, options?: TonplugOptions): Payments | undefined => {
        checkParts(name, path, options)
        const { payments, instrumentation } = options ?? {}
        return (
          payments &&
          nameInstance(name, () => {
            const { logger = createNestLogger('Tonplug') } = payments
            const verifyOnChain = proofOf(payments.verifyOnChain, v3)
            const given = { ...payments, logger, verifyOnChain, instrumentation }
            return createPayments({ ...given, name, autoStart: false })
          })
        )
      },
    },
    {
      provide: getReceiverToken(name),
      inject: [TONPLUG_OPTIONS, getPaymentsToken(name)],
      useFactory: ({ webhook }: TonplugOptions, payments?: Payments): WebhookReceiver | undefined =>
        webhook &&
        payments &&
        nameInstance(name, () => {
          const { secrets } = webhook
          const resolver = typeof secrets === 'function' ? storingMerchants(secrets) : secrets
          return createWebhookReceiver({ ...webhook, secrets: resolver, payments })
        }),
    },
    instanceProvider(name),
    {
      provide: getWatcherToken(name),
      inject: [{ token: INSTANCE, optional: true }],
      useFactory: (instance?: TonplugInstance): PaymentWatcher | undefined => instance?.watcher,
    },
  ]
}

function instanceProvider(name: string): Provider {
  return {
    provide: INSTANCE,
    inject: [
      INSTANCES,
      TONPLUG_OPTIONS,
      getV3Token(name),
      getTransferToken(name),
      getPaymentsToken(name),
      getReceiverToken(name),
    ],
    useFactory: (
      instances: TonplugInstances,
      options: TonplugOptions,
      v3: V3Service,
      gateway: TransferService,
      payments?: Payments,
      receiver?: WebhookReceiver,
    ): TonplugInstance | undefined => {
      instances.claim(name)
      if (payments === undefined) return undefined
      // The watcher reads the gateway only if the options configure it.
      const transfers = options.gateway === undefined ? undefined : gateway
      const watcher = nameInstance(name, () => {
        const { watcher: given = false } = options
        if (given === false) return undefined
        rejectTwoNetworks(options)
        return createPaymentWatcher({ ...(given === true ? {} : given), payments, v3, transfers })
      })
      const deadlineMs = options.webhook?.deadlineMs ?? WEBHOOK_DEFAULTS.deadlineMs
      const facts = factsOf(options, receiver)
      const parts = { name, facts, payments, receiver, deadlineMs, watcher }
      return instances.add({ ...parts, handlers: [], isClosing: false })
    },
  }
}

/** Omits the address of custom servers, because it may contain a secret. */
function factsOf(
  { network = 'mainnet', baseUrl, payments, watcher = false }: TonplugOptions,
  receiver: WebhookReceiver | undefined,
): Record<string, unknown> {
  const { name = 'memory', isDurable = false } = payments?.inbox ?? {}
  return {
    network: baseUrl === undefined ? network : 'own servers',
    webhook: receiver !== undefined,
    ...(receiver && { signatureHeaders: receiver.signatureHeaders }),
    watcher: watcher !== false,
    orders: payments?.orders.constructor.name,
    inbox: `${name}, ${isDurable ? 'durable' : 'lost when the process ends'}`,
  }
}

/** @throws {ConfigurationError} when a part lacks another one, or a factory returned nothing. */
function checkParts(
  name: string,
  path: string | undefined,
  options: TonplugOptions | undefined,
): void {
  const missing = (option: string, fix: string): ConfigurationError => {
    const problem = `is missing from the options of TonplugModule '${name}'; ${fix}`
    return new ConfigurationError({ option, problem })
  }
  if (options === undefined) throw missing('payments', 'pass { payments: { orders } }')
  const { payments, webhook, watcher = false } = options
  if (path !== undefined && webhook === undefined) {
    throw missing('webhook', 'pass { payments: { orders }, webhook: { secrets } }, or remove path')
  }
  if (payments === undefined && (webhook !== undefined || watcher !== false)) {
    throw missing('payments', 'webhook and watcher require it; pass { payments: { orders } }')
  }
}

function proofOf(
  given: TonplugPaymentsOptions['verifyOnChain'],
  v3: V3Service,
): PaymentProof | undefined {
  if (given === undefined || given === false) return undefined
  if (given === true) return createPaymentProof({ v3 })
  return isProof(given) ? given : createPaymentProof({ ...given, v3 })
}

function isProof(value: object | null): value is PaymentProof {
  return typeof value === 'object' && value !== null && 'prove' in value
}

/** The resolver is called once per request; `@WebhookOrder()` needs the merchant later. */
function storingMerchants(resolve: SecretResolver): SecretResolver {
  return async (request) => {
    const resolved = await resolve(request)
    // A resolver without types may return anything; the receiver checks it.
    const { merchant } = (resolved ?? {}) as Partial<typeof resolved>
    if (typeof merchant === 'string') merchants.set(request.headers, merchant)
    return resolved
  }
}

/** The gateway of one network does not know payments on another network's chain. */
function rejectTwoNetworks({ network = 'mainnet', baseUrl, gateway }: TonplugOptions): void {
  const gatewayNetwork = gateway?.network
  if (gatewayNetwork === undefined || baseUrl !== undefined || gatewayNetwork === network) return
  throw new ConfigurationError({
    option: 'watcher',
    problem: `must use one network; received ${network} for the chain and ${gatewayNetwork} for the gateway`,
  })
}
