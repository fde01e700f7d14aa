import { inspect } from 'node:util'
import {
  createPayments,
  createWebhookReceiver,
  memoryInbox,
  memoryOrderRepository,
  type WebhookResponse,
  type Inbox,
  type MemoryOrderRepository,
  type Order,
  type Payments,
  type PaymentsOptions,
  type WebhookReceiver,
  type WebhookReceiverOptions,
} from '@tonplug/core'
import {
  createFakeClock,
  createTestLogger,
  signPayload,
  type FakeClock,
  type TestLogger,
} from '@tonplug/testing'
import { expect, onTestFinished } from 'vitest'

export const SECRET = 'whsec_core_first'
export const OTHER_SECRET = 'whsec_core_second'

// A secret, a signature, or a part of a body that only a body has.
const SECRETS = /whsec_|sha256=[0-9a-f]{8}|"rawAmount"|Order 1/i

/** The longest time that closing takes: the drain, and the release of tasks. */
const CLOSE_MS = 20_000

/** Payments with a webhook receiver, on a fake clock. */
export interface Shop {
  orders: MemoryOrderRepository
  inbox: Inbox
  payments: Payments
  receiver: WebhookReceiver
  clock: FakeClock
  logger: TestLogger
  /** The references that `onPaid` ran for. */
  shipped: string[]
  /** Signs the payload, as the gateway does, and passes it to the receiver. */
  send(payload: object | string | Uint8Array, secret?: string): Promise<WebhookResponse>
  /** Returns the kind of the decision about a payload. */
  decide(payload: object | string): Promise<string>
  /** Runs the handlers that are due. */
  settle(): Promise<void>
  /** Closes the receiver, then Payments, and moves the clock until both are closed. */
  close(): Promise<void>
}

/** Options of Payments and of its receiver. `inbox` may wrap the memory inbox of the shop. */
export interface ShopOptions
  extends
    Partial<Omit<PaymentsOptions, 'inbox' | 'clock'>>,
    Partial<Omit<WebhookReceiverOptions, 'payments'>> {
  inbox?: Inbox | ((memory: Inbox) => Inbox)
  clock?: FakeClock
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

export function openShop(orders: readonly Order[] = [order()], options: ShopOptions = {}): Shop {
  const {
    clock = createFakeClock(),
    inbox: givenInbox = memoryInbox({ clock }),
    secrets = SECRET,
    unsupportedEvent,
    maxAgeMs,
    staleDelivery,
    signatureHeaders,
    signatureEncoding,
    maxBodyBytes,
    deadlineMs,
    ...ofPayments
  } = options
  const repository = memoryOrderRepository(orders)
  const inbox = typeof givenInbox === 'function' ? givenInbox(memoryInbox({ clock })) : givenInbox
  const logger = createTestLogger()
  const shipped: string[] = []
  const payments = createPayments({
    orders: repository,
    inbox,
    onPaid: (event) => void shipped.push(event.order.reference),
    clock,
    logger,
    ...ofPayments,
  })
  const receiver = createWebhookReceiver({
    payments,
    secrets,
    unsupportedEvent,
    maxAgeMs,
    staleDelivery,
    signatureHeaders,
    signatureEncoding,
    maxBodyBytes,
    deadlineMs,
    drainTimeoutMs: options.drainTimeoutMs,
  })
  const close = async (): Promise<void> => {
    for (const part of [receiver, payments]) {
      let isClosed = false
      const closed = part.close().then(() => void (isClosed = true))
      await clock.advance(0)
      if (!isClosed) await clock.advance(CLOSE_MS)
      await closed
    }
  }
  onTestFinished(async () => {
    await close()
    expect(inspect(logger.lines, { depth: 10 })).not.toMatch(SECRETS)
  })
  const send: Shop['send'] = (payload, secret = SECRET) => {
    const { body, headers } = signPayload(payload, secret)
    return receiver.receive({ headers, rawBody: body })
  }
  return {
    orders: repository,
    inbox,
    payments,
    receiver,
    clock,
    logger,
    shipped,
    send,
    decide: async (payload) => (await send(payload)).decision.kind,
    settle: () => clock.advance(0),
    close,
  }
}

/** Returns the levels at which something was logged. */
export function levels({ logger }: Shop): Set<string> {
  return new Set(logger.lines.map(({ level }) => level))
}
