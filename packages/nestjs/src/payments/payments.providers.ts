import type { Provider } from '@nestjs/common'
import { ModulesContainer } from '@nestjs/core'
import { ConfigurationError, createPayments } from '@tonplug/core'
import type { Payments, PaymentWatcher, WebhookReceiver } from '@tonplug/core'
import type { TonplugInstance, TonplugInstances } from '../instances.js'
import { nameInstance } from '../name-instance.js'
import type { ResolvedPaymentsOptions, TonplugOptions } from '../tonplug.options.js'
import {
  getPaymentsToken,
  getReceiverToken,
  getTransferToken,
  getV3Token,
  getWatcherToken,
  INSTANCE,
  INSTANCES,
  PAYMENTS_OPTIONS,
  TONPLUG_OPTIONS,
} from '../tonplug.tokens.js'
import type { TransferService } from '../transfer.service.js'
import type { V3Service } from '../v3.service.js'
import { receiverOf } from '../webhook/receiver-of.js'
import { findInjector } from './find-injector.js'
import { missing, resolvePaymentsOptions } from './payments-options.js'
import { watcherOf } from './watcher-of.js'

/** Returns the providers of an instance's payments, receiver and watcher; they resolve to `undefined` without the option. */
export function paymentsOf(name: string, path: string | undefined): Provider[] {
  return [
    {
      provide: PAYMENTS_OPTIONS,
      inject: [getV3Token(name), TONPLUG_OPTIONS],
      useFactory: (v3: V3Service, options?: TonplugOptions) =>
        resolvePaymentsOptions(options, { name, path, v3 }),
    },
    paymentsProvider(name),
    receiverProvider(name),
    instanceProvider(name),
    {
      provide: getWatcherToken(name),
      inject: [{ token: INSTANCE, optional: true }],
      useFactory: (instance?: TonplugInstance): PaymentWatcher | undefined => instance?.watcher,
    },
  ]
}

function paymentsProvider(name: string): Provider {
  const token = getPaymentsToken(name)
  return {
    provide: token,
    inject: [PAYMENTS_OPTIONS, ModulesContainer],
    useFactory: (options: ResolvedPaymentsOptions | undefined, modules: ModulesContainer) => {
      if (options === undefined) {
        rejectInjection(findInjector(modules, token), 'payments', name)
        return undefined
      }
      return nameInstance(name, () => createPayments({ ...options, name, autoStart: false }))
    },
  }
}

function receiverProvider(name: string): Provider {
  const token = getReceiverToken(name)
  return {
    provide: token,
    inject: [TONPLUG_OPTIONS, ModulesContainer, getPaymentsToken(name)],
    useFactory: (options: TonplugOptions, modules: ModulesContainer, payments?: Payments) => {
      if (options.webhook === undefined || payments === undefined) {
        rejectInjection(findInjector(modules, token), 'webhook', name)
        return undefined
      }
      checkPayments(name, payments)
      const { webhook } = options
      return nameInstance(name, () => receiverOf(webhook, payments))
    },
  }
}

function instanceProvider(name: string): Provider {
  return {
    provide: INSTANCE,
    inject: [
      INSTANCES,
      TONPLUG_OPTIONS,
      getV3Token(name),
      getTransferToken(name),
      PAYMENTS_OPTIONS,
      getPaymentsToken(name),
      getReceiverToken(name),
    ],
    useFactory: (
      instances: TonplugInstances,
      given: TonplugOptions,
      v3: V3Service,
      gateway: TransferService,
      options?: ResolvedPaymentsOptions,
      payments?: Payments,
      receiver?: WebhookReceiver,
    ): TonplugInstance | undefined => {
      instances.claim(name)
      if (options === undefined || payments === undefined) return undefined
      checkPayments(name, payments)
      if (receiver !== undefined) checkReceiver(name, receiver)
      // The watcher reads the gateway only if the options configure it.
      const transfers = given.gateway === undefined ? undefined : gateway
      const watcher = nameInstance(name, () => watcherOf(given, { payments, v3, transfers }))
      const { inbox } = options
      const servers = serversOf(given)
      const parts = { payments, receiver, watcher, inbox }
      return instances.add({ name, servers, ...parts, handlers: [], isClosing: false })
    },
  }
}

/** @throws {ConfigurationError} when a class injects a part that the instance does not have. */
function rejectInjection(
  injector: string | undefined,
  option: 'payments' | 'webhook',
  name: string,
): void {
  if (injector === undefined) return
  const parts = { payments: '{ payments: { orders } }', webhook: '{ webhook: { secrets } }' }
  throw missing(option, name, `${injector} injects it. Pass ${parts[option]}`)
}

const PAYMENTS_METHODS = [
  'addHandler',
  'start',
  'state',
  'submit',
  'close',
] as const satisfies readonly (keyof Payments)[]

const RECEIVER_METHODS = ['receive', 'close'] as const satisfies readonly (keyof WebhookReceiver)[]

/** @throws {ConfigurationError} when a test has overridden it with an invalid value. */
function checkPayments(name: string, payments: Payments): void {
  const lacking = PAYMENTS_METHODS.filter((method) => typeof payments[method] !== 'function')
  const fix = 'createPayments({ orders, autoStart: false })'
  if (lacking.length > 0) throw invalidOverride(`getPaymentsToken('${name}')`, lacking, fix)
}

/** @throws {ConfigurationError} when a test has overridden it with an invalid value. */
function checkReceiver(name: string, receiver: WebhookReceiver): void {
  const lacking = RECEIVER_METHODS.filter((method) => typeof receiver[method] !== 'function')
  const fix = 'createWebhookReceiver({ payments, secrets })'
  if (lacking.length > 0) throw invalidOverride(`getReceiverToken('${name}')`, lacking, fix)
}

function invalidOverride(
  option: string,
  lacking: readonly string[],
  fix: string,
): ConfigurationError {
  const problem = `is overridden with a value without ${lacking.join(', ')}; use ${fix}`
  return new ConfigurationError({ option, problem })
}

/** Omits the address of custom servers, because it may contain a secret. */
function serversOf({ network = 'mainnet', baseUrl }: TonplugOptions): string {
  return baseUrl === undefined ? network : 'own servers'
}
