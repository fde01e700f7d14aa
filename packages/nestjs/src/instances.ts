import type { IncomingHttpHeaders } from 'node:http'
import { ConfigurationError } from '@tonplug/core'
import type { Payments, PaymentWatcher, WebhookReceiver } from '@tonplug/core'
import { DEFAULT_INSTANCE } from './tonplug.tokens.js'
import type { BodyLimits } from './webhook/raw-body.js'

/** One `TonplugModule` with payments, at run time. */
export interface TonplugInstance {
  name: string
  /** Parts of the options, for the start-up log. */
  facts: Record<string, unknown>
  payments: Payments
  /** Set with the option `webhook`. */
  receiver: WebhookReceiver | undefined
  /** The receiver's deadline. */
  deadlineMs: number
  /** Set with the option `watcher`. */
  watcher: PaymentWatcher | undefined
  /** The registered handlers, for example `onPaid.Shipping.ship`. */
  handlers: string[]
  /** True from the start of the app's shutdown. */
  isClosing: boolean
}

/** An instance that has a webhook. */
export interface ReceivingInstance extends TonplugInstance {
  receiver: WebhookReceiver
}

/** The merchants that secret resolvers returned, by the headers of the request. */
export const merchants = new WeakMap<object, string>()

/** The instances of an app by name. */
export class TonplugInstances {
  /** The instances that guards and controllers expect. */
  readonly routed = new Set<string>()
  private readonly names = new Set<string>()
  private readonly byName = new Map<string, TonplugInstance>()

  /** Reserves a name, with or without payments. @throws {ConfigurationError} when it is in use. */
  claim(name: string): void {
    if (this.names.has(name)) {
      throw new ConfigurationError({
        option: 'TonplugModule',
        problem: `is imported twice with the name '${name}'. Import it once, with isGlobal: true if several modules inject its payments or clients; for two instances, set a different name for each`,
      })
    }
    this.names.add(name)
  }

  /** Adds an instance whose name is claimed. */
  add(instance: TonplugInstance): TonplugInstance {
    this.byName.set(instance.name, instance)
    return instance
  }

  /** @throws {ConfigurationError} when no instance has this name, or it has no payments. */
  get(name: string = DEFAULT_INSTANCE): TonplugInstance {
    const instance = this.byName.get(name)
    if (instance !== undefined) return instance
    const problem = this.names.has(name)
      ? 'its TonplugModule has no payments; pass { payments: { orders } }'
      : this.whyUnknown()
    throw new ConfigurationError({ option: `instance '${name}'`, problem })
  }

  /** @throws {ConfigurationError} when no instance has this name, or it has no webhook. */
  getReceiving(name: string): ReceivingInstance {
    const instance = this.get(name)
    if (isReceiving(instance)) return instance
    const problem = 'its TonplugModule has no webhook; pass { webhook: { secrets } }'
    throw new ConfigurationError({ option: `instance '${name}'`, problem })
  }

  /** Returns the largest limits of the receivers whose signature headers a request has; each receiver applies its own. */
  limitsOf(headers: IncomingHttpHeaders): BodyLimits | undefined {
    let limits: BodyLimits | undefined
    for (const { receiver, deadlineMs, payments } of this.byName.values()) {
      if (!receiver?.signatureHeaders.some((name) => headers[name] !== undefined)) continue
      limits = {
        maxBodyBytes: Math.max(limits?.maxBodyBytes ?? 0, receiver.maxBodyBytes),
        deadlineMs: Math.max(limits?.deadlineMs ?? 0, deadlineMs),
        clock: payments.clock,
      }
    }
    return limits
  }

  /** Logs the parts of an instance, and a warning for a missing route and for missing handlers. */
  logStart({ name, facts, payments: { logger }, receiver, handlers }: TonplugInstance): void {
    logger.info('payments started', { instance: name, ...facts, handlers })
    if (receiver !== undefined && !this.routed.has(name)) {
      const options = name === DEFAULT_INSTANCE ? '' : `, name: '${name}'`
      logger.warn('webhook without a route; set the option path, or decorate a controller', {
        instance: name,
        decorator: `@WebhookController({ path: 'webhooks/ton'${options} })`,
      })
    }
    if (!handlers.some((handler) => handler.startsWith('onPaid.'))) {
      logger.warn('no handler for paid orders; decorate a provider method with @OnTransferPaid()', {
        instance: name,
        effect: 'payments are recorded, and no handler runs in this process',
      })
    }
  }

  /** Logs what concerns the whole app, with the logger of the first instance. */
  log(level: 'warn' | 'error', message: string, fields: Record<string, unknown>): void {
    const [first] = this.byName.values()
    first?.payments.logger[level](message, fields)
  }

  /** If a module's options depend on the request, Nest creates the module for each request and never at start. */
  private whyUnknown(): string {
    const scoped = 'a request-scoped provider in `inject` of forRootAsync'
    const known = [...this.names].map((key) => `'${key}'`).join(', ')
    return known === ''
      ? `no TonplugModule was created at start. The usual cause is ${scoped}; inject a singleton provider instead`
      : `no TonplugModule has this name; the known names are ${known}. Set the option name of its module. A module with ${scoped} is not created at start`
  }
}

function isReceiving(instance: TonplugInstance): instance is ReceivingInstance {
  return instance.receiver !== undefined
}
