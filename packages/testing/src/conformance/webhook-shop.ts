import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import {
  createWebhookReceiver,
  type DecisionKind,
  type Inbox,
  memoryInbox,
  memoryOrderRepository,
  type MemoryOrderRepository,
  type OrderRepository,
  type PaidTransfer,
  type WebhookReceiver,
  type WebhookReceiverOptions,
} from '@tonplug/core'
import { createManualClock, type ManualClock } from '../manual-clock.js'
import { type RecordingLogger, recordingLogger } from '../recording-logger.js'
import { signPayload } from '../sign.js'
import { type HttpAnswer, type HttpRequest, sendRequest } from './http-request.js'
import { makeOrder } from './order-fixtures.js'
import type { MakeHarness } from './runner.js'
import type { WebhookAdapterHarness } from './webhook-adapter.js'

/** The webhook secret of the shop. */
export const SECRET = 'whsec_conformance_secret'

/** What to send other than a well-signed POST. */
export interface PostOptions extends Omit<HttpRequest, 'body'> {
  secret?: string | undefined
  /** The whole signature header value; null sends none. */
  signature?: string | string[] | null | undefined
  /** @default 'x-tonpay-signature' */
  header?: string | undefined
  /** The content type; null sends none. @default 'application/json' */
  contentType?: string | null | undefined
  /** Appended to the route's URL. */
  query?: string | undefined
}

/** A shop with one pending order behind the adapter under test. */
export interface Shop {
  url: string
  receiver: WebhookReceiver
  clock: ManualClock
  logger: RecordingLogger
  orders: MemoryOrderRepository
  /** Calls to the inbox and to the orders that deciding makes, in their order. */
  calls: readonly string[]
  /** What was decided, in its order. */
  decisions: readonly DecisionKind[]
  /** What `onPaid` was called with. */
  paid: readonly PaidTransfer[]
  /** Signs a body and sends it. */
  post: (payload: string | object, options?: PostOptions) => Promise<HttpAnswer>
}

/** What the shop of one test has instead of the usual. */
export type ShopOptions = Partial<WebhookReceiverOptions>

/** Runs `test` with a shop of its own behind the adapter, then closes both. */
export async function withShop(
  makeHarness: MakeHarness<WebhookAdapterHarness>,
  options: ShopOptions,
  test: (shop: Shop) => Promise<void>,
): Promise<void> {
  const harness = await makeHarness()
  const clock = createManualClock()
  const logger = recordingLogger()
  const orders = memoryOrderRepository([makeOrder()])
  const calls: string[] = []
  const paid: PaidTransfer[] = []
  const receiver = createWebhookReceiver({
    secrets: SECRET,
    onPaid: (transfer) => void paid.push(transfer),
    clock,
    logger,
    ...options,
    orders: watchOrders(options.orders ?? orders, calls),
    inbox: watchInbox(options.inbox ?? memoryInbox(), calls),
  })
  const decisions: DecisionKind[] = []
  receiver.subscribe(({ decision }) => decisions.push(decision.kind))
  const { url, close } = await harness.start(receiver)
  const post: Shop['post'] = (payload, postOptions = {}) => postTo(url, payload, postOptions)
  try {
    await test({ url, receiver, clock, logger, orders, calls, decisions, paid, post })
  } finally {
    await close()
    await closeReceiver(receiver, clock)
  }
}

/** Checks the status, and that the body says no more than that. */
export function assertAnswer(answer: HttpAnswer, status: number): void {
  assert.equal(answer.status, status)
  assert.equal(answer.body, status < 300 ? '{"ok":true}' : '{"ok":false}')
  assert.match(answer.headers['content-type'] ?? '', /^application\/json\b/)
}

/** Checks that a 503 says when to come again. */
export function assertUnavailable(answer: HttpAnswer): void {
  assertAnswer(answer, 503)
  assert.match(answer.headers['retry-after'] ?? '', /^[1-9]\d*$/)
}

/** Waits for what happens by itself, through turns of the event loop. */
export async function until(what: string, isSo: () => boolean): Promise<void> {
  const giveUpMs = Date.now() + 10_000
  while (!isSo()) {
    assert.ok(Date.now() < giveUpMs, `waited in vain: ${what}`)
    await setImmediate()
  }
}

/** Something to wait for until a test opens it. */
export function createGate(): { opened: Promise<void>; open: () => void } {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { opened, open }
}

function postTo(
  url: string,
  payload: string | object,
  { secret = SECRET, header, signature, contentType, query = '', ...sent }: PostOptions,
): Promise<HttpAnswer> {
  const signed = signPayload(payload, secret)
  const value = signature === undefined ? signed.signature : signature
  const type = contentType === undefined ? 'application/json' : contentType
  return sendRequest(url + query, {
    ...sent,
    headers: {
      ...(type !== null && { 'content-type': type }),
      ...(value !== null && { [header ?? 'x-tonpay-signature']: value }),
      ...sent.headers,
    },
    body: signed.body,
  })
}

function watchOrders(orders: OrderRepository, calls: string[]): OrderRepository {
  return {
    findByReference: (reference) => {
      calls.push('orders.findByReference')
      return orders.findByReference(reference)
    },
    complete: async (reference, payment) => {
      const transition = await orders.complete(reference, payment)
      calls.push(`orders.complete: ${transition}`)
      return transition
    },
    recordFailure: async (reference, failure) => {
      const transition = await orders.recordFailure(reference, failure)
      calls.push(`orders.recordFailure: ${transition}`)
      return transition
    },
    listOpen: (query) => orders.listOpen(query),
  }
}

function watchInbox(inbox: Inbox, calls: string[]): Inbox {
  return {
    ...inbox,
    store: (delivery) => {
      calls.push('inbox.store')
      return inbox.store(delivery)
    },
  }
}

/** Closing waits, on the clock, for what a test left hanging. */
async function closeReceiver(receiver: WebhookReceiver, clock: ManualClock): Promise<void> {
  let isClosed = false
  void receiver.close().finally(() => (isClosed = true))
  for (let round = 0; round < 10 && !isClosed; round++) await clock.advance(10_000)
}
