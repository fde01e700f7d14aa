import type { TonplugInstance } from '../instances.js'

/** Logs the parts of an instance, and a warning for a missing route and for missing handlers. */
export function logStartUp(instance: TonplugInstance, paths: readonly string[]): void {
  const { name, servers, payments, receiver, watcher, inbox, handlers } = instance
  const { logger, orders } = payments
  logger.info('payments started', {
    instance: name,
    network: servers,
    ...(receiver && { webhook: paths, signatureHeaders: receiver.signatureHeaders }),
    watcher: watcher !== undefined,
    orders: nameOf(orders),
    inbox: `${inbox.name}, ${inbox.isDurable ? 'durable' : 'lost when the process ends'}`,
    handlers,
  })
  if (receiver !== undefined && paths.length === 0) {
    logger.warn('webhook without a route; set the option path, or decorate a controller', {
      instance: name,
      decorator: `@WebhookController(${controllerOptions(name)})`,
    })
  }
  if (!handlers.some((handler) => handler.startsWith('onPaid.'))) {
    logger.warn('no handler for paid orders; decorate a provider method with @OnTransferPaid()', {
      instance: name,
      effect: inbox.isDurable
        ? 'payments are recorded, and handlers run in other processes with this inbox'
        : 'payments are recorded, and no handler runs',
    })
  }
}

function controllerOptions(name: string): string {
  return name === 'default' ? `'webhooks/ton'` : `{ path: 'webhooks/ton', name: '${name}' }`
}

function nameOf(orders: object): string {
  const { name } = orders.constructor
  return name === 'Object' ? 'a plain object' : name
}
