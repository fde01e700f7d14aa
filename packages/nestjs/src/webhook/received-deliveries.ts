import type { IncomingMessage } from 'node:http'
import type { ReceivedDelivery } from './webhook-endpoint.js'

const deliveries = new WeakMap<IncomingMessage, ReceivedDelivery>()

/** Stores a delivery that a guard received, for the parameters of its route. */
export function storeReceived(request: IncomingMessage, received: ReceivedDelivery): void {
  deliveries.set(request, received)
}

/** Returns the delivery that the guard of this request received. */
export function findReceived(request: IncomingMessage): ReceivedDelivery | undefined {
  return deliveries.get(request)
}
