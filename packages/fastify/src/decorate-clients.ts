import { ConfigurationError } from '@tonplug/core'
import { createClients, type Clients, type ClientsOptions } from '@tonplug/core/bridge'
import type { FastifyInstance } from 'fastify'

/** The decoration `fastify.tonplug`: the clients of a shop, and of named shops that an app declares. */
export interface TonplugClients extends Clients {}

/**
 * Decorates an instance of Fastify with the clients of a shop: `fastify.tonplug`, or `fastify.tonplug.<name>`.
 * @throws {ConfigurationError} when the instance has clients with this name.
 */
export function decorateClients(
  fastify: FastifyInstance,
  clients: ClientsOptions,
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
