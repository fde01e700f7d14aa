import type { FactoryProvider, InjectionToken } from '@nestjs/common'
import {
  ConfigurationError,
  createPaymentVerifier,
  createPayments,
  createPaymentWatcher,
  createWebhookReceiver,
} from '@tonplug/core'
import type { Payments, PaymentWatcher, WebhookReceiver } from '@tonplug/core'
import { createTransport, createV2Client, createV3Client } from '@tonplug/core/toncenter'
import type { Transport } from '@tonplug/core/toncenter'
import { checkInstanceOptions } from './check-options.js'
import type { InstanceParts, TonplugInstances } from './instances.js'
import { createNestLogger } from './nest-logger.js'
import { InvoiceService, V2Service, V3Service } from './services.js'
import type { TonplugOptions } from './tonplug.options.js'
import * as tokens from './tonplug.tokens.js'

const { DEFAULT_INSTANCE, INSTANCE, INSTANCES, TONPLUG_OPTIONS: OPTIONS, TRANSPORT } = tokens

/** A part of an instance: its token, the tokens that its factory gets, the factory, and the option that its errors name. */
type Part = [InjectionToken, InjectionToken[], FactoryProvider['useFactory'], option?: string]

/** Returns the providers of an instance. Providers of missing options resolve to `undefined`. */
export function providersOf(name: string): FactoryProvider[] {
  const v3 = tokens.getV3Token(name)
  const payments = tokens.getPaymentsToken(name)
  const receiver = tokens.getReceiverToken(name)
  const watcher = tokens.getWatcherToken(name)
  const parts: Part[] = [
    [TRANSPORT, [OPTIONS], transportOf],
    [tokens.getV2Token(name), [OPTIONS, TRANSPORT], v2Of],
    [v3, [TRANSPORT], (transport: Transport) => new V3Service(createV3Client({ transport }))],
    [tokens.getInvoicesToken(name), [OPTIONS, v3], invoicesOf],
    [payments, [OPTIONS, v3], paymentsOf(name), 'payments'],
    [receiver, [OPTIONS, payments], receiverOf, 'webhook'],
    [watcher, [OPTIONS, payments, v3], watcherOf, 'watcher'],
    [
      INSTANCE,
      [INSTANCES, OPTIONS, payments, receiver, watcher],
      (instances: TonplugInstances, ...created: InstanceParts) => instances.add(name, ...created),
    ],
  ]
  const suffix = name === DEFAULT_INSTANCE ? '' : ` of '${name}'`
  return parts.map(([provide, inject, create, option]) => ({
    provide,
    inject,
    useFactory: (...given: unknown[]): unknown => {
      try {
        return create(...given)
      } catch (error) {
        throw error instanceof ConfigurationError ? locate(error, option, suffix) : error
      }
    },
  }))
}

function transportOf(options: TonplugOptions): Transport {
  checkInstanceOptions(options)
  const { payments: _p, webhook: _w, watcher: _c, wallet: _i, jsonRpc: _j, ...transport } = options
  return createTransport(transport)
}

function v2Of({ jsonRpc }: TonplugOptions, transport: Transport): V2Service {
  return new V2Service(createV2Client({ transport, jsonRpc }))
}

function invoicesOf({ payments, wallet, network }: TonplugOptions, v3: V3Service): InvoiceService {
  const clock = payments?.clock
  return new InvoiceService({ wallet: wallet ?? payments?.wallets?.[0], network, v3, clock })
}

function paymentsOf(name: string) {
  return ({ payments, instrumentation }: TonplugOptions, v3: V3Service): Payments | undefined => {
    if (payments === undefined) return undefined
    const { verifyOnChain = false, logger = createNestLogger('Tonplug') } = payments
    const proof = verifyOnChain === true ? createPaymentVerifier({ v3 }) : verifyOnChain
    const own = {
      name,
      instrumentation,
      logger,
      verifyOnChain: proof === false ? undefined : proof,
    }
    return createPayments({ ...payments, ...own, autoStart: false })
  }
}

function receiverOf({ webhook }: TonplugOptions, payments?: Payments): WebhookReceiver | undefined {
  if (webhook === undefined || payments === undefined) return undefined
  return createWebhookReceiver({ ...webhook, payments })
}

function watcherOf(
  { watcher = false }: TonplugOptions,
  payments: Payments | undefined,
  v3: V3Service,
): PaymentWatcher | undefined {
  if (watcher === false || payments === undefined) return undefined
  return createPaymentWatcher({ payments, v3, ...(watcher === true ? {} : watcher) })
}

/** Returns the error with its option inside the option of the module, for example `webhook.secrets[0] of 'euros'`. */
function locate(cause: ConfigurationError, path: string | undefined, suffix: string) {
  const { option } = cause.details
  const problem = cause.message.slice(`${option}: `.length)
  // Core reports the whole argument as `options`.
  const inner = path === undefined ? option : option === 'options' ? path : `${path}.${option}`
  return new ConfigurationError({ option: inner + suffix, problem, cause })
}
