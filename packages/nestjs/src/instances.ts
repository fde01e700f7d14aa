import { ConfigurationError, systemClock, WEBHOOK_DEFAULTS } from '@tonplug/core'
import type { Clock, Payments, PaymentWatcher, WebhookReceiver } from '@tonplug/core'
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

type InstancePart = 'payments' | 'receiver'

/** An instance that has a part, and the payments that a receiver requires. */
type WithPart<Part extends InstancePart> = TonplugInstance & {
  [Name in Part | 'payments']: NonNullable<TonplugInstance[Name]>
}

/** Limits of a body that is read before its route is known: the largest of all receivers. Each then applies its own. */
export interface BodyLimits {
  maxBodyBytes: number
  deadlineMs: number
  clock: Clock
}

/** The instances of an app by name. */
export class TonplugInstances {
  readonly limits: BodyLimits = { maxBodyBytes: 0, deadlineMs: 0, clock: systemClock }
  private readonly signatureHeaders = new Set<string>()
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
    if (payments === undefined || receiver === undefined) return instance
    const { limits } = this
    const { deadlineMs = WEBHOOK_DEFAULTS.deadlineMs } = options.webhook ?? {}
    limits.maxBodyBytes = Math.max(limits.maxBodyBytes, receiver.maxBodyBytes)
    limits.deadlineMs = Math.max(limits.deadlineMs, deadlineMs)
    limits.clock = payments.clock
    for (const header of receiver.signatureHeaders) this.signatureHeaders.add(header)
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

  /** Returns true for headers with a signature header of any receiver. */
  isSigned(headers: Readonly<Record<string, unknown>>): boolean {
    for (const name of this.signatureHeaders) if (headers[name] !== undefined) return true
    return false
  }

  /** Logs the parts of an instance, and a warning for a missing route and for missing handlers. */
  logStart({ name, options, handlers, hasRoute, ...created }: TonplugInstance): void {
    const { payments, receiver, watcher } = created
    if (payments === undefined) return
    const { logger } = payments
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
      logger.warn('no handler for paid orders; use @OnTransferPaid() on a provider method', fields)
    }
  }

  /** Logs what concerns the whole app, with the logger of the first instance. */
  log(level: 'warn' | 'error', message: string, fields: Record<string, unknown>): void {
    const [first] = [...this.byName.values()].flatMap(({ payments }) => payments ?? [])
    first?.logger[level](message, fields)
  }
}
