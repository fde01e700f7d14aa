import { ConfigurationError } from '@tonplug/core'
import type { Reconciler, WebhookReceiver } from '@tonplug/core'
import type { ResolvedWebhookOptions } from '../tonplug.options.js'
import { DEFAULT_INSTANCE } from '../tonplug.tokens.js'

/** One `TonplugModule` of an app that receives webhooks, at run time. */
export interface WebhookInstance {
  name: string
  /** The network, as the start-up line names it. */
  servers: string
  receiver: WebhookReceiver
  /** Where the options have `reconcile`. */
  reconciler: Reconciler | undefined
  options: ResolvedWebhookOptions
  /** Names of the methods that handle its events, by event. */
  handlers: string[]
}

/** The instances of an app by name. */
export class WebhookInstances {
  private readonly names = new Set<string>()
  private readonly byName = new Map<string, WebhookInstance>()

  /** Takes a name, whether webhooks are received under it or not. @throws {ConfigurationError} when it is taken. */
  claim(name: string): void {
    if (this.names.has(name)) {
      throw new ConfigurationError({
        option: 'TonplugModule',
        problem: `is imported twice as '${name}'. Import it once, with isGlobal: true where several modules inject its receiver or clients; or, if these are two instances, give each a name`,
      })
    }
    this.names.add(name)
  }

  /** Adds an instance whose name is claimed. */
  add(instance: WebhookInstance): WebhookInstance {
    this.byName.set(instance.name, instance)
    return instance
  }

  /** @throws {ConfigurationError} when there is none of that name, or it has no webhook. */
  get(name: string = DEFAULT_INSTANCE): WebhookInstance {
    const instance = this.byName.get(name)
    if (instance !== undefined) return instance
    if (this.names.has(name)) {
      throw new ConfigurationError({
        option: `instance '${name}'`,
        problem: 'its TonplugModule has no webhook; give it { webhook: { secrets, orders } }',
      })
    }
    throw new ConfigurationError({ option: `instance '${name}'`, problem: this.whyUnknown() })
  }

  /** Nest makes a module anew for each request, and never at start, when its options need something of a request. */
  private whyUnknown(): string {
    const scoped = 'a request-scoped provider in `inject` of forRootAsync'
    const known = [...this.names].map((key) => `'${key}'`).join(', ')
    return known === ''
      ? `no TonplugModule was made at start. The usual reason is ${scoped}: give it one that lives as long as the app`
      : `no TonplugModule has this name; there is ${known}. Add { name: … } where it is missing; with ${scoped} a module is not made at start`
  }

  /** A line that concerns no instance alone. */
  warn(message: string): void {
    const [first] = this.byName.values()
    first?.options.logger.warn(message)
  }
}
