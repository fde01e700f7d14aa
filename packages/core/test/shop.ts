import { inspect } from 'node:util'
import {
  createWebhookReceiver,
  memoryOrderRepository,
  type Answer,
  type MemoryOrderRepository,
  type Order,
  type WebhookReceiver,
  type WebhookReceiverOptions,
} from '@tonplug/core'
import {
  createManualClock,
  recordingLogger,
  signPayload,
  type ManualClock,
  type RecordingLogger,
} from '@tonplug/testing'
import { expect, onTestFinished } from 'vitest'

export const SECRET = 'whsec_core_first'
export const OTHER_SECRET = 'whsec_core_second'

// A secret, a signature, or a part of a body that only a body has.
const SECRETS = /whsec_|sha256=[0-9a-f]{8}|"rawAmount"|Order 1/i

// As long as a receiver waits when it is closed.
const DRAIN_MS = 10_000

/** A receiver over memory on a clock that stands still, with what it did at hand. */
export interface Shop {
  orders: MemoryOrderRepository
  receiver: WebhookReceiver
  clock: ManualClock
  logger: RecordingLogger
  /** Each run of `onPaid`, by reference. */
  shipped: string[]
  /** Signs the payload, as the gateway does, and hands it to the receiver. */
  send(payload: object | string | Uint8Array, secret?: string): Promise<Answer>
  /** The kind of what {@link send} was decided to be. */
  decide(payload: object | string): Promise<string>
  /** Lets handlers that are due run to their end. */
  settle(): Promise<void>
}

/** The order that the payload builders pay for. */
export function order(changes: Partial<Order> = {}): Order {
  return {
    reference: 'order-1',
    rawAmount: 10_500_000_000n,
    asset: 'TON',
    status: 'pending',
    ...changes,
  }
}

export function openShop(
  orders: readonly Order[] = [order()],
  options: Partial<WebhookReceiverOptions> = {},
): Shop {
  const repository = memoryOrderRepository(orders)
  const clock = createManualClock()
  const logger = recordingLogger()
  const shipped: string[] = []
  const receiver = createWebhookReceiver({
    secrets: SECRET,
    orders: repository,
    onPaid: (event) => void shipped.push(event.order.reference),
    clock,
    logger,
    ...options,
  })
  onTestFinished(async () => {
    const closed = receiver.close()
    await clock.advance(DRAIN_MS)
    await closed
    expect(inspect(logger.lines, { depth: 10 })).not.toMatch(SECRETS)
  })
  const send: Shop['send'] = (payload, secret = SECRET) => {
    const { body, headers } = signPayload(payload, secret)
    return receiver.receive({ headers, rawBody: body })
  }
  return {
    orders: repository,
    receiver,
    clock,
    logger,
    shipped,
    send,
    decide: async (payload) => (await send(payload)).decision.kind,
    settle: () => clock.advance(0),
  }
}

/** The levels at which something was logged. */
export function levels({ logger }: Shop): Set<string> {
  return new Set(logger.lines.map(({ level }) => level))
}
