import { ConfigurationError } from '@tonplug/core'
import type { FastifyInstance } from 'fastify'
import { createClients, type TonplugClientsOptions } from './clients.js'

/**
 * Decorates an instance of Fastify with the clients of a shop: `fastify.tonplug`, or `fastify.tonplug.<name>`.
 * @throws {ConfigurationError} when the instance has clients with this name.
 */
export function addShop(
  fastify: FastifyInstance,
  clients: TonplugClientsOptions,
  name: string | undefined,
): void {
  const shop = createClients(clients)
  if (!fastify.hasDecorator('tonplug')) {
    fastify.decorate('tonplug', name === undefined ? shop : createClients({}))
  } else if (name === undefined) {
    const problem = 'is missing; this app has clients without a name. Give the second shop a name'
    throw new ConfigurationError({ option: 'name', problem })
  }
  if (name === undefined) return
  if (name in fastify.tonplug) {
    const problem = `must differ from the names that fastify.tonplug has; received '${name}'`
    throw new ConfigurationError({ option: 'name', problem })
  }
  Object.defineProperty(fastify.tonplug, name, { value: shop, enumerable: true })
}
