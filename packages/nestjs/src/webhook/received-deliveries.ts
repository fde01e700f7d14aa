import type { IncomingMessage } from 'node:http'
import type { ReceivedDelivery } from './webhook-endpoint.js'

const deliveries = new WeakMap<IncomingMessage, ReceivedDelivery>()

/** Keeps what a guard received for the parameters of its route. */
export function keepReceived(request: IncomingMessage, received: ReceivedDelivery): void {
  deliveries.set(request, received)
}

/** What the guard of this request received. */
export function findReceived(request: IncomingMessage): ReceivedDelivery | undefined {
  return deliveries.get(request)
}
