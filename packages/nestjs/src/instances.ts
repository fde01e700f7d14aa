import { ConfigurationError } from '@tonplug/core'
import type { Payments, PaymentWatcher, WebhookReceiver } from '@tonplug/core'
import type { TonplugOptions } from './tonplug.options.js'
import { DEFAULT_INSTANCE } from './tonplug.tokens.js'

/** One `TonplugModule` at run time. Its parts are set with their options. */
export interface TonplugInstance {
  name: string
  options: TonplugOptions
  payments: Payments | undefined
  receiver: WebhookReceiver | undefined
  watcher: PaymentWatcher | undefined
  /** The registered handlers, for example `onPaid.Shipping.ship`. */
  handlers: string[]
  /** True with a controller for its webhooks. */
  hasRoute: boolean
}

/** The options of an instance, and what was created from them. */
export type InstanceParts = [
  options: TonplugOptions,
  payments: Payments | undefined,
  receiver: WebhookReceiver | undefined,
  watcher: PaymentWatcher | undefined,
]

export type InstancePart = 'payments' | 'receiver'

/** An instance that has a part, and the payments that a receiver requires. */
export type WithPart<Part extends InstancePart> = TonplugInstance & {
  [Name in Part | 'payments']: NonNullable<TonplugInstance[Name]>
}

/** The instances of an app by name. */
export class TonplugInstances {
  private readonly byName = new Map<string, TonplugInstance>()

  /** @throws {ConfigurationError} when the name is in use. */
  add(name: string, ...[options, payments, receiver, watcher]: InstanceParts): TonplugInstance {
    if (this.byName.has(name)) {
      const problem = `is imported twice with the name '${name}'. Import it once, with isGlobal: true if several modules inject its payments or clients; for two instances, set a different name for each`
      throw new ConfigurationError({ option: 'TonplugModule', problem })
    }
    const created = { payments, receiver, watcher }
    const instance: TonplugInstance = { name, options, ...created, handlers: [], hasRoute: false }
    this.byName.set(name, instance)
    return instance
  }

  /** @throws {ConfigurationError} when no instance has this name, or it has no such part. */
  get<Part extends InstancePart>(part: Part, name: string = DEFAULT_INSTANCE): WithPart<Part> {
    const instance = this.byName.get(name)
    // The type does not follow from the check: a receiver requires payments.
    if (instance?.[part] !== undefined) return instance as WithPart<Part>
    const known = [...this.byName.keys()].map((key) => `'${key}'`).join(', ') || 'none'
    const problem =
      instance === undefined
        ? `no TonplugModule has this name; known names: ${known}. A module with a request-scoped provider in \`inject\` of forRootAsync is not created at start; inject a singleton provider instead`
        : `its TonplugModule has no ${instance.payments === undefined ? 'payments; pass { payments: { orders } }' : 'webhook; pass { webhook: { secrets } }'}`
    throw new ConfigurationError({ option: `instance '${name}'`, problem })
  }

  /** Logs the parts of an instance, and a warning for a missing route and for missing handlers. */
  logStart({ name, options, handlers, hasRoute, ...created }: TonplugInstance): void {
    const { payments, receiver, watcher } = created
    if (payments === undefined) return
    const { logger } = payments.internals
    const { network = 'mainnet', baseUrl } = options
    logger.info('payments started', {
      instance: name,
      // The address of custom servers may contain a secret.
      network: baseUrl === undefined ? network : 'own servers',
      webhook: receiver !== undefined,
      watcher: watcher !== undefined,
      inbox: options.payments?.inbox?.name ?? 'memory',
      handlers,
    })
    const fields = { instance: name }
    if (receiver !== undefined && !hasRoute) {
      logger.warn('webhook without a route; set the option path, or use @WebhookController', fields)
    }
    if (!handlers.some((handler) => handler.startsWith('onPaid.'))) {
      logger.warn('no handler for paid orders; use @OnPaid() on a provider method', fields)
    }
  }

  /** Logs a warning about the whole app, with the logger of the first instance. */
  warn(message: string, fields: Record<string, unknown>): void {
    const [first] = [...this.byName.values()].flatMap(({ payments }) => payments ?? [])
    first?.internals.logger.warn(message, fields)
  }
}
