import { Inject } from '@nestjs/common'
import { TransferService } from './transfer.service.js'
import { V2Service } from './v2.service.js'
import { V3Service } from './v3.service.js'

/** The name of the instance without an explicit name. */
export const DEFAULT_INSTANCE = 'default'

/** The options of one instance, inside its module. */
export const TONPLUG_OPTIONS = Symbol.for('tonplug:options')
/** The transport of one instance's clients, inside its module. */
export const TRANSPORT = Symbol.for('tonplug:transport')
/** All instances of an app. */
export const INSTANCES = Symbol.for('tonplug:instances')
// Nest's error prints these two when an app lacks the module, so their text is the fix.
/** The instance of a module, inside it. */
export const INSTANCE = Symbol.for('TonplugModule.forRoot(…)')
/** Connects webhook routes and guards with the receivers, everywhere in an app. */
export const WEBHOOK_ENDPOINT = Symbol.for('imports: [TonplugModule.forRoot(…)]')

/**
 * The injection token of an instance's `Payments`; for `overrideProvider` in tests, and factories.
 * @param name the instance. @default 'default'
 */
export function getPaymentsToken(name: string = DEFAULT_INSTANCE): string {
  return `tonplug:payments:${name}`
}

/**
 * Injects an instance's `Payments`. The class must be in a module that imports the instance's module, unless that module
 * has `isGlobal`.
 * @param name the instance. @default 'default'
 * @example
 * ```ts
 * constructor(@InjectPayments() private readonly payments: Payments) {}
 * ```
 */
export function InjectPayments(name?: string): PropertyDecorator & ParameterDecorator {
  return Inject(getPaymentsToken(name))
}

/**
 * The injection token of an instance's `WebhookReceiver`; for `overrideProvider` in tests, and factories.
 * @param name the instance. @default 'default'
 */
export function getReceiverToken(name: string = DEFAULT_INSTANCE): string {
  return `tonplug:receiver:${name}`
}

/**
 * Injects an instance's `WebhookReceiver`. The class must be in a module that imports the instance's module,
 * unless that module has `isGlobal`.
 * @param name the instance. @default 'default'
 * @example
 * ```ts
 * constructor(@InjectReceiver() private readonly receiver: WebhookReceiver) {}
 * ```
 */
export function InjectReceiver(name?: string): PropertyDecorator & ParameterDecorator {
  return Inject(getReceiverToken(name))
}

/**
 * The injection token of an instance's client of API v2: the class {@link V2Service} for the instance without a name.
 * For `overrideProvider` in tests, and factories.
 * @param name the instance. @default 'default'
 */
export function getV2Token(name: string = DEFAULT_INSTANCE): string | typeof V2Service {
  return name === DEFAULT_INSTANCE ? V2Service : `tonplug:v2:${name}`
}

/**
 * Injects an instance's client of API v2. The class must be in a module that imports the instance's module,
 * unless that module has `isGlobal`.
 * @param name the instance. @default 'default', for which the type {@link V2Service} alone does the same
 * @example
 * ```ts
 * constructor(@InjectV2('wholesale') private readonly v2: V2Service) {}
 * ```
 */
export function InjectV2(name?: string): PropertyDecorator & ParameterDecorator {
  return Inject(getV2Token(name))
}

/**
 * The injection token of an instance's client of API v3: the class {@link V3Service} for the instance without a name.
 * For `overrideProvider` in tests, and factories.
 * @param name the instance. @default 'default'
 */
export function getV3Token(name: string = DEFAULT_INSTANCE): string | typeof V3Service {
  return name === DEFAULT_INSTANCE ? V3Service : `tonplug:v3:${name}`
}

/**
 * Injects an instance's client of API v3. The class must be in a module that imports the instance's module,
 * unless that module has `isGlobal`.
 * @param name the instance. @default 'default', for which the type {@link V3Service} alone does the same
 * @example
 * ```ts
 * constructor(@InjectV3('wholesale') private readonly v3: V3Service) {}
 * ```
 */
export function InjectV3(name?: string): PropertyDecorator & ParameterDecorator {
  return Inject(getV3Token(name))
}

/**
 * The injection token of an instance's client of the payment gateway: the class {@link TransferService} for the instance
 * without a name. For `overrideProvider` in tests, and factories.
 * @param name the instance. @default 'default'
 */
export function getTransferToken(name: string = DEFAULT_INSTANCE): string | typeof TransferService {
  return name === DEFAULT_INSTANCE ? TransferService : `tonplug:transfers:${name}`
}

/**
 * Injects an instance's client of the payment gateway. The class must be in a module that imports the instance's
 * module, unless that module has `isGlobal`.
 * @param name the instance. @default 'default', for which the type {@link TransferService} alone does the same
 * @example
 * ```ts
 * constructor(@InjectTransfers('wholesale') private readonly transfers: TransferService) {}
 * ```
 */
export function InjectTransfers(name?: string): PropertyDecorator & ParameterDecorator {
  return Inject(getTransferToken(name))
}

/**
 * The injection token of an instance's `PaymentWatcher`, which exists with the option `watcher`; for `overrideProvider` in
 * tests, and factories.
 * @param name the instance. @default 'default'
 */
export function getWatcherToken(name: string = DEFAULT_INSTANCE): string {
  return `tonplug:watcher:${name}`
}

/**
 * Injects an instance's `PaymentWatcher`; `undefined` without the option `watcher`. The class must be in a module that
 * imports the instance's module, unless that module has `isGlobal`.
 * @param name the instance. @default 'default'
 * @example
 * ```ts
 * constructor(@InjectWatcher() private readonly watcher: PaymentWatcher) {}
 * ```
 */
export function InjectWatcher(name?: string): PropertyDecorator & ParameterDecorator {
  return Inject(getWatcherToken(name))
}
