import { deliver, type Sending } from '../deliveries.js'
import type { Report } from '../report.js'

/** Signs the bytes as the gateway does and posts them. */
export async function send(body: Uint8Array, sending: Sending): Promise<Report> {
  const { isDelivered, json, text } = await deliver(sending, (gateway) => gateway.deliver(body))
  return { isDone: isDelivered, json, text }
}
