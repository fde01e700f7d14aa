import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import toPlugin from 'fastify-plugin'
import { addDesk } from './desk.js'
import { addHealth } from './health.js'
import { resolveOptions, type PassedByFastify, type TonplugFastifyOptions } from './options.js'
import { addOrderStatusStream } from './order-status-stream.js'
import { decorateClients, type TonplugClients } from './decorate-clients.js'
import { addWebhook, keepBodiesUnread } from './webhook.js'

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Set by the option `clients` of `tonplugFastify`. Declare the names of further shops:
     * `declare module '@tonplug/fastify' { interface TonplugClients { berlin: TonplugClients } }`.
     */
    tonplug: TonplugClients
  }
  interface FastifyContextConfig {
    /** True for the route of a tonplug webhook, for hooks that must let it pass. */
    tonplug?: boolean
  }
}

/**
 * Fastify plugin with the webhook of a receiver, the status of orders, health, and a desk. The decoration `fastify.tonplug` is
 * visible in the context that registers the plugin; the routes have a context of their own, so that the parsers of the app
 * remain unchanged. Hooks of the app apply to all routes. The webhook responds to other methods with 405. Only a
 * `WebhookFailedError` reaches the error handler of the app.
 * @throws {ConfigurationError} for an option that is unknown, missing or invalid.
 * @example
 * ```ts
 * import { createPayments, createWebhookReceiver, memoryOrderRepository } from '@tonplug/core'
 * import { tonplugFastify } from '@tonplug/fastify'
 * import { fastify } from 'fastify'
 *
 * const payments = createPayments({ orders: memoryOrderRepository() })
 * const receiver = createWebhookReceiver({ payments, secrets: process.env.TONPAY_WEBHOOK_SECRET ?? '' })
 * const app = fastify()
 * await app.register(tonplugFastify, {
 *   path: '/webhooks/ton',
 *   receiver,
 *   payments,
 *   orderStatusStream: '/orders/:reference/events',
 *   health: '/ready',
 * })
 * ```
 */
export const tonplugFastify: FastifyPluginAsync<TonplugFastifyOptions> = toPlugin(register, {
  name: '@tonplug/fastify',
  fastify: '4.x || 5.x',
})

async function register(
  fastify: FastifyInstance,
  options: TonplugFastifyOptions & PassedByFastify,
): Promise<void> {
  const { webhook, payments, orderStatusStream, health } = resolveOptions(options)
  const { clients, name, desk, prefix = '' } = options
  if (clients !== undefined) decorateClients(fastify, clients, name)
  // Fastify ignores the prefix of a plugin that leaves its context.
  await fastify.register(
    async (scope) => {
      keepBodiesUnread(scope)
      if (webhook !== undefined) addWebhook(scope, webhook.path, webhook.receiver)
      if (orderStatusStream !== undefined && payments !== undefined)
        addOrderStatusStream(scope, payments, orderStatusStream)
      for (const [path, source] of Object.entries(health)) addHealth(scope, path, source)
      if (desk !== undefined) addDesk(scope, desk)
    },
    { prefix },
  )
}
