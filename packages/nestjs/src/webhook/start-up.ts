import type { WebhookInstance } from './webhook-instances.js'

/** One line that says what an instance works with, and one for each thing that it cannot work without. */
export function logStartUp(instance: WebhookInstance, paths: readonly string[]): void {
  const { name, servers, receiver, handlers } = instance
  const { orders, inbox, logger } = instance.options
  const place = paths.length === 0 ? 'no route' : `POST ${paths.join(', ')}`
  logger.info(`receives webhooks of '${name}' (${servers}) at ${place}`, {
    signatureHeaders: receiver.signatureHeaders,
    orders: nameOf(orders),
    inbox: `${inbox.name}, ${inbox.isDurable ? 'durable' : 'forgets when the process ends'}`,
    handlers,
  })
  if (paths.length === 0) {
    logger.warn(
      `'${name}' has no route, so no webhook can arrive. Give TonplugModule a path, or decorate a controller with @WebhookController(${forInstance(name)})`,
    )
  }
  if (!handlers.some((handler) => handler.startsWith('onPaid.'))) {
    logger.warn(
      `'${name}' has no handler for paid orders: payments are recorded, and nothing happens then. Decorate a method of a provider with @OnTransferPaid(), and list its class in the providers of a module`,
    )
  }
}

function forInstance(name: string): string {
  return name === 'default' ? `'webhooks/ton'` : `{ path: 'webhooks/ton', name: '${name}' }`
}

/** The class, or for plain objects that they are one. */
function nameOf(orders: object): string {
  const { name } = orders.constructor
  return name === 'Object' ? 'a plain object' : name
}
