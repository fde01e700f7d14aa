import {
  createPaymentProof,
  createTransport,
  createV3Client,
  createWebhookReceiver,
  memoryInbox,
  memoryOrderRepository,
  type Answer,
  type Decision,
  type DecisionEvent,
  type Fetch,
  type Inbox,
  type MemoryOrderRepository,
  type Order,
  type PaymentProofOptions,
  type TransferData,
  type UnverifiedDecision,
  type WebhookReceiver,
  type WebhookReceiverOptions,
} from '@tonplug/core'
import {
  recordingLogger,
  signPayload,
  transferCompleted,
  type ManualClock,
  type RecordingLogger,
} from '@tonplug/testing'
import { onTestFinished } from 'vitest'
import { createDrivenClock } from '../onchain/driven-clock.js'

const SECRET = 'whsec_proof'
const DRAIN_MS = 10_000

/** A receiver that proves payments on a chain, and what became of its deliveries. */
export interface ProofShop {
  orders: MemoryOrderRepository
  inbox: Inbox
  receiver: WebhookReceiver
  clock: ManualClock
  logger: RecordingLogger
  /** The references that `onPaid` ran for. */
  shipped: string[]
  /** What `onUnverified` was told. */
  told: UnverifiedDecision[]
  /** Every decision, in their order. */
  decisions: Decision[]
  /** Signs and delivers, as somebody does who has the secret. */
  send(data: TransferData): Promise<Answer>
  /** The same, as a Fetch server has it. */
  handle(data: TransferData): Promise<Response>
  /** Moves the clock until this is done. */
  run<T>(work: Promise<T>): Promise<T>
  /** Moves the clock until the transfer is decided for good. */
  decide(data: TransferData): Promise<Decision>
  /** Does something at a time of the clock. */
  at(delayMs: number, action: () => void | Promise<void>): void
}

export interface ProofShopOptions {
  /** Of API v3. */
  url: string
  orders: readonly Order[]
  recipients: readonly string[]
  inbox?: Inbox | undefined
  repository?: MemoryOrderRepository | undefined
  receiver?: Partial<WebhookReceiverOptions> | undefined
  proof?: Partial<PaymentProofOptions> | undefined
  rps?: number | undefined
  fetch?: Fetch | undefined
  hanging?: (() => number) | undefined
  /** Of a shop before: the clock goes on. */
  driven?: ReturnType<typeof createDrivenClock> | undefined
}

/** Opens a shop on a clock that moves by itself while somebody waits. */
export function openProofShop(options: ProofShopOptions): ProofShop {
  const driven = options.driven ?? createDrivenClock(options.hanging)
  const { clock, run } = driven
  const orders = options.repository ?? memoryOrderRepository(options.orders)
  const inbox = options.inbox ?? memoryInbox()
  const logger = recordingLogger()
  const shipped: string[] = []
  const told: UnverifiedDecision[] = []
  const decisions: Decision[] = []
  const transport = createTransport({
    baseUrl: options.url,
    clock,
    rps: options.rps ?? Infinity,
    random: () => 0.5,
    fetch: options.fetch ?? driven.fetch,
  })
  const receiver = createWebhookReceiver({
    secrets: SECRET,
    orders,
    inbox,
    clock,
    logger,
    recipients: options.recipients,
    verifyOnChain: createPaymentProof({ v3: createV3Client({ transport }), ...options.proof }),
    onPaid: ({ order }) => void shipped.push(order.reference),
    onUnverified: ({ decision }) => void told.push(decision),
    ...options.receiver,
  })
  receiver.subscribe(({ decision }) => void decisions.push(decision))
  onTestFinished(async () => {
    const closed = receiver.close()
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
    receiver,
    clock,
    logger,
    shipped,
    told,
    decisions,
    send,
    handle,
    run,
    at: driven.at,
    decide: (data) =>
      run(
        new Promise<Decision>((resolve, reject) => {
          const end = receiver.subscribe(({ decision, transfer }: DecisionEvent) => {
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
