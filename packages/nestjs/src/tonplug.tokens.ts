import { Inject } from '@nestjs/common'

/** The name of an instance that was given none. */
export const DEFAULT_INSTANCE = 'default'

/** The options as given, inside one instance's module. */
export const TONPLUG_OPTIONS = Symbol.for('tonplug:options')
/** The webhook options with this package's defaults, inside one instance's module. */
export const WEBHOOK_OPTIONS = Symbol.for('tonplug:webhook-options')
/** All instances of an app. */
export const WEBHOOK_INSTANCES = Symbol.for('tonplug:instances')
// Nest's error shows these two when an app lacks the module, so they say what to import.
/** The instance of a module, inside it. */
export const WEBHOOK_INSTANCE = Symbol.for('TonplugModule.forRoot(…)')
/** What webhook routes and guards work with, everywhere in an app. */
export const WEBHOOK_ENDPOINT = Symbol.for('imports: [TonplugModule.forRoot(…)]')

/**
 * The injection token of an instance's {@link WebhookReceiver}; for `overrideProvider` in tests, and factories.
 * @param name the instance. @default 'default'
 */
export function getReceiverToken(name: string = DEFAULT_INSTANCE): string {
  return `tonplug:receiver:${name}`
}

/**
 * Injects an instance's `WebhookReceiver`. The class stands in a module that imports the instance's module, or
 * that module has `isGlobal`.
 * @param name the instance. @default 'default'
 * @example
 * ```ts
 * constructor(@InjectReceiver() private readonly receiver: WebhookReceiver) {}
 * ```
 */
export function InjectReceiver(name?: string): PropertyDecorator & ParameterDecorator {
  return Inject(getReceiverToken(name))
}
