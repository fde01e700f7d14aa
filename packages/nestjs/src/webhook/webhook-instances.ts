import { ConfigurationError } from '@tonplug/core'
import type { WebhookReceiver } from '@tonplug/core'
import type { ResolvedWebhookOptions } from '../tonplug.options.js'
import { DEFAULT_INSTANCE } from '../tonplug.tokens.js'

/** One `TonplugModule` of an app, at run time. */
export interface WebhookInstance {
  name: string
  network: 'mainnet' | 'testnet'
  receiver: WebhookReceiver
  options: ResolvedWebhookOptions
  /** Names of the methods that handle its events, by event. */
  handlers: string[]
}

/** The instances of an app by name. */
export class WebhookInstances {
  private readonly byName = new Map<string, WebhookInstance>()

  /** @throws {ConfigurationError} when the name is taken. */
  add(instance: WebhookInstance): WebhookInstance {
    const { name } = instance
    if (this.byName.has(name)) {
      throw new ConfigurationError({
        option: 'TonplugModule',
        problem: `is imported twice as '${name}'. Import it once, with isGlobal: true where several modules inject its receiver; or, if these are two instances, give each a name`,
      })
    }
    this.byName.set(name, instance)
    return instance
  }

  /** @throws {ConfigurationError} when there is none of that name. */
  get(name: string = DEFAULT_INSTANCE): WebhookInstance {
    const instance = this.byName.get(name)
    if (instance !== undefined) return instance
    const known = [...this.byName.keys()].map((key) => `'${key}'`).join(', ')
    throw new ConfigurationError({
      option: `instance '${name}'`,
      problem: `no TonplugModule has this name; there is ${known}. Add { name: … } where it is missing`,
    })
  }

  /** A line that concerns no instance alone. */
  warn(message: string): void {
    const [first] = this.byName.values()
    first?.options.logger.warn(message)
  }
}
