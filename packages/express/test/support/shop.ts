import { createWebhookReceiver, memoryOrderRepository } from '@tonplug/core'
import type { WebhookReceiver, WebhookReceiverOptions } from '@tonplug/core'
import { recordingLogger, signPayload, transferCompleted } from '@tonplug/testing'
import type { RecordingLogger } from '@tonplug/testing'
import { onTestFinished } from 'vitest'

export const SECRET = 'whsec_express_adapter'

/** A shop with one open order, `order-1`, for what `transferCompleted()` pays. */
export interface Shop {
  receiver: WebhookReceiver
  logger: RecordingLogger
  orderStatus(): Promise<string | undefined>
}

export function createShop(options: Partial<WebhookReceiverOptions> = {}): Shop {
  const orders = memoryOrderRepository([
    { reference: 'order-1', rawAmount: 10_500_000_000n, asset: 'TON', status: 'pending' },
  ])
  const logger = recordingLogger()
  const receiver = createWebhookReceiver({ secrets: SECRET, orders, logger, ...options })
  onTestFinished(() => receiver.close())
  return {
    receiver,
    logger,
    orderStatus: async () => (await orders.findByReference('order-1'))?.status,
  }
}

const MALFORMED = '{"event":"transfer.completed",'

/** The four requests of the matrix, `{ body, headers }` each. */
export const deliveries = {
  valid: signPayload(transferCompleted(), SECRET),
  wrongSignature: signPayload(transferCompleted(), 'whsec_of_somebody_else'),
  malformedWrongSignature: signPayload(MALFORMED, 'whsec_of_somebody_else'),
  malformedRightSignature: signPayload(MALFORMED, SECRET),
}

export type DeliveryName = keyof typeof deliveries

/** What a sender sees of an answer. */
export interface Seen {
  status: number
  contentType: string | null
  body: string
}

/** Delivers with `fetch`. */
export async function deliver(
  url: string,
  request: { body: string; headers: Record<string, string> },
): Promise<Seen> {
  const response = await fetch(url, { method: 'POST', ...request })
  return {
    status: response.status,
    contentType: response.headers.get('content-type'),
    body: await response.text(),
  }
}
