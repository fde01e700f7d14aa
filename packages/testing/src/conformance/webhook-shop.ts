import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import {
  createPayments,
  createWebhookReceiver,
  type DecisionKind,
  type Inbox,
  memoryInbox,
  memoryOrderRepository,
  type MemoryOrderRepository,
  type OrderRepository,
  type PaidTransfer,
  type Payments,
  type PaymentsOptions,
  type WebhookReceiver,
  type WebhookReceiverOptions,
} from '@tonplug/core'
import { createFakeClock, type FakeClock } from '../fake-clock.js'
import { type TestLogger, createTestLogger } from '../test-logger.js'
import { signPayload } from '../sign.js'
import { type HttpAnswer, type HttpRequest, sendRequest } from './http-request.js'
import { makeOrder } from './order-fixtures.js'
import type { MakeHarness, Suite, TestRunner } from './runner.js'
import type { WebhookAdapterHarness } from './webhook-harness.js'

/** The webhook secret of the shop. */
export const SECRET = 'whsec_conformance_secret'

/** Changes of a correctly signed POST request. */
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
  isParsedFirst: boolean
  payments: Payments
  receiver: WebhookReceiver
  clock: FakeClock
  logger: TestLogger
  orders: MemoryOrderRepository
  inbox: Inbox
  /** Calls to the inbox and the orders that a delivery causes, in sequence. */
  calls: readonly string[]
  /** Decisions, in sequence. */
  decisions: readonly DecisionKind[]
  /** Arguments of the calls of `onPaid`. */
  paid: readonly PaidTransfer[]
  /** Signs a body and sends it. */
  post: (payload: string | object, options?: PostOptions) => Promise<HttpAnswer>
}

/** Changes of the shop in one test. */
export interface ShopOptions {
  payments?: Partial<PaymentsOptions>
  receiver?: Partial<WebhookReceiverOptions>
  /** Replaces the receiver that the adapter mounts. */
  mount?: (receiver: WebhookReceiver) => WebhookReceiver
}

/** Functions with which the parts of the suite define their tests. */
export interface WebhookSuite extends Suite<Shop> {
  it: TestRunner['it']
  /** Runs a test with a shop of its own behind the adapter, then closes both. */
  withShop: (options: ShopOptions, run: (shop: Shop) => Promise<void>) => Promise<void>
}

/** Returns the functions for the tests of an adapter. Each `test` has a shop without changes. */
export function createWebhookSuite(
  makeHarness: MakeHarness<WebhookAdapterHarness>,
  { describe, it }: TestRunner,
): WebhookSuite {
  const withShop: WebhookSuite['withShop'] = async (options, run) => {
    const { shop, close } = await openShop(await makeHarness(), options)
    try {
      await run(shop)
    } finally {
      await close()
    }
  }
  return { describe, it, withShop, test: (title, run) => it(title, () => withShop({}, run)) }
}

async function openShop(
  harness: WebhookAdapterHarness,
  { payments: given = {}, receiver: givenReceiver, mount = (receiver) => receiver }: ShopOptions,
): Promise<{ shop: Shop; close: () => Promise<void> }> {
  const clock = createFakeClock()
  const logger = createTestLogger()
  const orders = memoryOrderRepository([makeOrder()])
  const calls: string[] = []
  const paid: PaidTransfer[] = []
  const inbox = given.inbox ?? memoryInbox({ clock })
  const payments = createPayments({
    onPaid: (transfer) => void paid.push(transfer),
    clock,
    logger,
    ...given,
    orders: watchOrders(given.orders ?? orders, calls),
    inbox: watchInbox(inbox, calls),
  })
  const receiver = createWebhookReceiver({ payments, secrets: SECRET, ...givenReceiver })
  const decisions: DecisionKind[] = []
  payments.onDecision(({ decision }) => decisions.push(decision.kind))
  const { url, close } = await harness.start(mount(receiver), clock)
  const post: Shop['post'] = (payload, postOptions = {}) => postTo(url, payload, postOptions)
  const stores = { orders, inbox, calls, decisions, paid }
  return {
    shop: {
      url,
      isParsedFirst: harness.isParsedFirst === true,
      payments,
      receiver,
      clock,
      logger,
      ...stores,
      post,
    },
    close: async () => {
      await close()
      await closeAll([receiver, payments], clock)
    },
  }
}

/** Asserts the status, and that the body reveals nothing else. */
export function assertAnswer(answer: HttpAnswer, status: number): void {
  assert.equal(answer.status, status)
  assert.equal(answer.body, status < 300 ? '{"ok":true}' : '{"ok":false}')
  assert.match(answer.headers['content-type'] ?? '', /^application\/json\b/)
}

/** Returns true for a response of the framework's parser, which has rejected the body. */
export function isOfParser({ isParsedFirst }: Shop, { status, body }: HttpAnswer): boolean {
  return isParsedFirst && [400, 413, 415].includes(status) && body !== '{"ok":false}'
}

/** Asserts a 503 with `Retry-After`. */
export function assertUnavailable(answer: HttpAnswer): void {
  assertAnswer(answer, 503)
  assert.match(answer.headers['retry-after'] ?? '', /^[1-9]\d*$/)
}

/** Waits, through turns of the event loop, until the condition is true. */
export async function until(what: string, isTrue: () => boolean): Promise<void> {
  const giveUpMs = Date.now() + 10_000
  while (!isTrue()) {
    assert.ok(Date.now() < giveUpMs, `not within 10 s: ${what}`)
    await setImmediate()
  }
}

/** Returns a promise that is pending until the test calls `open`. */
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
    find: (key) => {
      calls.push('orders.find')
      return orders.find(key)
    },
    complete: async (key, payment) => {
      const transition = await orders.complete(key, payment)
      calls.push(`orders.complete: ${transition}`)
      return transition
    },
    fail: async (key, failure) => {
      const transition = await orders.fail(key, failure)
      calls.push(`orders.fail: ${transition}`)
      return transition
    },
    listOpen: (query) => orders.listOpen(query),
  }
}

function watchInbox(inbox: Inbox, calls: string[]): Inbox {
  return {
    ...inbox,
    reports: {
      ...inbox.reports,
      store: (report) => {
        calls.push('inbox.reports.store')
        return inbox.reports.store(report)
      },
    },
  }
}

/** Closes in sequence. Each close may wait, on the clock, for what a test has left pending. */
async function closeAll(
  parts: readonly { close: () => Promise<void> }[],
  clock: FakeClock,
): Promise<void> {
  for (const part of parts) {
    let isClosed = false
    void part.close().finally(() => (isClosed = true))
    for (let round = 0; round < 10 && !isClosed; round++) await clock.advance(10_000)
  }
}
