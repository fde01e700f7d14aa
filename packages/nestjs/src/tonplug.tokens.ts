import { Inject } from '@nestjs/common'
import type { InjectionToken } from '@nestjs/common'
import { rejectStandardDecorator } from './decorator-mode.js'
import { InvoiceService, V2Service, V3Service } from './services.js'

/** The name of the instance without an explicit name. */
export const DEFAULT_INSTANCE = 'default'

/** The options of one instance, inside its module. */
export const TONPLUG_OPTIONS = Symbol.for('tonplug:options')
/** The transport of the clients of one instance, inside its module. */
export const TRANSPORT = Symbol.for('tonplug:transport')
/** All instances of an app. */
export const INSTANCES = Symbol.for('tonplug:instances')
// Nest's error prints these two when an app lacks the module, so their text is the fix.
/** The instance of a module, inside it. */
export const INSTANCE = Symbol.for('TonplugModule.forRoot(…)')
/** Connects webhook routes with the receivers, everywhere in an app. */
export const WEBHOOK_ENDPOINT = Symbol.for('imports: [TonplugModule.forRoot(…)]')

// Each function takes the name of an instance. The tokens are for `overrideProvider` in tests, and for factories. A class that
// injects one must be in a module that imports the instance's module, unless that module has `isGlobal`.

/** Returns the injection token of an instance's `Payments`. @param name the instance. @default 'default' */
export const getPaymentsToken = tokenFor('payments')

/** Returns the injection token of an instance's `WebhookReceiver`. @param name the instance. @default 'default' */
export const getReceiverToken = tokenFor('receiver')

/** Returns the injection token of an instance's `PaymentWatcher`. @param name the instance. @default 'default' */
export const getWatcherToken = tokenFor('watcher')

/** Returns the injection token of a client of API v2; {@link V2Service} itself for the instance without a name. */
export const getV2Token = clientTokenFor('v2', V2Service)

/** Returns the injection token of a client of API v3; {@link V3Service} itself for the instance without a name. */
export const getV3Token = clientTokenFor('v3', V3Service)

/** Returns the injection token of an invoice service; {@link InvoiceService} itself for the instance without a name. */
export const getInvoicesToken = clientTokenFor('invoices', InvoiceService)

/**
 * Injects an instance's `Payments`; `undefined` without the option `payments`.
 * @example
 * ```ts
 * constructor(@InjectPayments() private readonly payments: Payments) {}
 * ```
 */
export const InjectPayments = injectorOf(getPaymentsToken)

/**
 * Injects an instance's `WebhookReceiver`; `undefined` without the option `webhook`.
 * @example
 * ```ts
 * constructor(@InjectReceiver() private readonly receiver: WebhookReceiver) {}
 * ```
 */
export const InjectReceiver = injectorOf(getReceiverToken)

/**
 * Injects an instance's `PaymentWatcher`; `undefined` without the option `watcher`.
 * @example
 * ```ts
 * constructor(@InjectWatcher() private readonly watcher: PaymentWatcher) {}
 * ```
 */
export const InjectWatcher = injectorOf(getWatcherToken)

/**
 * Injects an instance's client of API v2; for the instance without a name, the type {@link V2Service} alone does the same.
 * @example
 * ```ts
 * constructor(@InjectV2('wholesale') private readonly v2: V2Service) {}
 * ```
 */
export const InjectV2 = injectorOf(getV2Token)

/**
 * Injects an instance's client of API v3; for the instance without a name, the type {@link V3Service} alone does the same.
 * @example
 * ```ts
 * constructor(@InjectV3('wholesale') private readonly v3: V3Service) {}
 * ```
 */
export const InjectV3 = injectorOf(getV3Token)

/**
 * Injects an instance's invoice service; for the instance without a name, the type {@link InvoiceService} alone does the same.
 * @example
 * ```ts
 * constructor(@InjectInvoices('wholesale') private readonly invoices: InvoiceService) {}
 * ```
 */
export const InjectInvoices = injectorOf(getInvoicesToken)

function tokenFor(part: string) {
  return (name: string = DEFAULT_INSTANCE): string => `tonplug:${part}:${name}`
}

function clientTokenFor<Class>(part: string, token: Class) {
  return (name: string = DEFAULT_INSTANCE): Class | string =>
    name === DEFAULT_INSTANCE ? token : `tonplug:${part}:${name}`
}

function injectorOf(getToken: (name?: string) => InjectionToken) {
  return (name?: string): PropertyDecorator & ParameterDecorator => {
    const inject = Inject(getToken(name))
    return (target, key, index?: number) => {
      rejectStandardDecorator(key)
      // Its type has an overload for each kind of decorator.
      ;(inject as (target: object, key?: string | symbol, index?: number) => void)(
        target,
        key,
        index,
      )
    }
  }
}
