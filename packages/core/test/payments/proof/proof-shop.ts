import {
  createPaymentVerifier,
  createPayments,
  createWebhookReceiver,
  memoryInbox,
  memoryOrderRepository,
  type WebhookResponse,
  type Decision,
  type DecisionEvent,
  type Inbox,
  type MemoryOrderRepository,
  type Order,
  type Payments,
  type PaymentsOptions,
  type PaymentVerifier,
  type TransferData,
  type WebhookReceiver,
  type DecisionOf,
} from '@tonplug/core'
import { createTransport, createV3Client, type Fetch } from '@tonplug/core/toncenter'
import {
  createTestLogger,
  signPayload,
  transferCompleted,
  type FakeClock,
  type TestLogger,
} from '@tonplug/testing'
import { onTestFinished } from 'vitest'
import { createDrivenClock } from '../../toncenter/sending/driven-clock.js'

const SECRET = 'whsec_proof'
const DRAIN_MS = 10_000

/** Payments that proves transfers on a chain, with a webhook receiver. */
export interface ProofShop {
  orders: MemoryOrderRepository
  inbox: Inbox
  payments: Payments
  receiver: WebhookReceiver
  clock: FakeClock
  logger: TestLogger
  /** The references that `onPaid` ran for. */
  shipped: string[]
  /** The decisions that `onUnverified` was called with. */
  unverified: DecisionOf<'unverified'>[]
  /** All decisions, in sequence. */
  decisions: Decision[]
  /** Signs and delivers a transfer. */
  send(data: TransferData): Promise<WebhookResponse>
  /** The same with a Fetch request. */
  handle(data: TransferData): Promise<Response>
  /** Moves the clock until the work is done. */
  run<T>(work: Promise<T>): Promise<T>
  /** Moves the clock by milliseconds, but never during a request. */
  pass(ms: number): Promise<void>
  /** Moves the clock until the decision is final. */
  decide(data: TransferData): Promise<Decision>
  /** Runs an action after a delay. */
  at(delayMs: number, action: () => void | Promise<void>): void
}

export interface ProofShopOptions {
  /** The requests to API v3. */
  url: string
  orders: readonly Order[]
  wallets: readonly string[]
  inbox?: Inbox | undefined
  repository?: MemoryOrderRepository | undefined
  payments?: Partial<PaymentsOptions> | undefined
  proof?: Partial<Parameters<typeof createPaymentVerifier>[0]> | undefined
  /** Replaces the proof. */
  wrapProof?: ((proof: PaymentVerifier) => PaymentVerifier) | undefined
  /** The number of sources that must show a payment. @default 1 */
  count?: 1 | 2 | undefined
  rps?: number | undefined
  fetch?: Fetch | undefined
  hanging?: (() => number) | undefined
  /** The clock of a former shop. */
  driven?: ReturnType<typeof createDrivenClock> | undefined
}

/** Opens a shop on a clock that moves by itself while `run` waits. */
export function openProofShop(options: ProofShopOptions): ProofShop {
  const driven = options.driven ?? createDrivenClock(options.hanging)
  const { clock, run, pass } = driven
  const orders = options.repository ?? memoryOrderRepository(options.orders)
  const inbox = options.inbox ?? memoryInbox({ clock })
  const logger = createTestLogger()
  const shipped: string[] = []
  const unverified: DecisionOf<'unverified'>[] = []
  const decisions: Decision[] = []
  const transport = createTransport({
    baseUrl: options.url,
    clock,
    rps: options.rps ?? Infinity,
    random: () => 0.5,
    fetch: options.fetch ?? driven.fetch,
  })
  const index = () => createV3Client({ transport })
  const verifier = createPaymentVerifier({
    ...(options.count === 2 ? { sources: [index(), index()] } : { v3: index() }),
    ...options.proof,
  })
  const payments = createPayments({
    orders,
    inbox,
    clock,
    logger,
    wallets: options.wallets,
    verifyOnChain: options.wrapProof?.(verifier) ?? verifier,
    onPaid: ({ order }) => void shipped.push(order.reference),
    onUnverified: ({ decision }) => void unverified.push(decision),
    ...options.payments,
  })
  const receiver = createWebhookReceiver({ payments, secrets: SECRET })
  payments.onDecision(({ decision }) => void decisions.push(decision))
  onTestFinished(async () => {
    const closed = payments.close()
    await clock.advance(DRAIN_MS)
    await closed
  })
  const send: ProofShop['send'] = (data) => {
    const { body, headers } = signPayload(transferCompleted(data), SECRET)
    return receiver.receive({ headers, rawBody: body })
  }
  const handle: ProofShop['handle'] = (data) => {
    const { body, headers } = signPayload(transferCompleted(data), SECRET)
    return receiver.handle(new Request('http://shop/webhooks', { method: 'POST', headers, body }))
  }
  return {
    orders,
    inbox,
    payments,
    receiver,
    clock,
    logger,
    shipped,
    unverified,
    decisions,
    send,
    handle,
    run,
    pass,
    at: driven.at,
    decide: (data) =>
      run(
        new Promise<Decision>((resolve, reject) => {
          const end = payments.onDecision(({ decision, transfer }: DecisionEvent) => {
            if (decision.kind === 'verifying' || transfer.txHash !== data.txHash) return
            if (transfer.reference !== data.reference) return
            end()
            resolve(decision)
          })
          send(data).catch(reject)
        }),
      ),
  }
}
