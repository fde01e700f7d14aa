import type { Cell } from '@ton/core'
import {
  MockGatewayError,
  type DeliveryReport,
  type MockGateway,
  type DeliveryChoice,
} from '@tonplug/testing'
import type { ChainSimulator } from './chain-simulator.js'
import { rootOf, withDescendants, type RecordedTransaction } from './chain/recorded-transaction.js'
import { base64Hash } from './shared/encodings.js'
import { detectPayment, receivedBody } from './detect-payment.js'

/** The delivery of a payment's webhooks; 'unnoticed' when the gateway does not detect the payment. */
type Notice = DeliveryChoice['delivery'] | 'unnoticed'

/** A completed trace. */
interface EndedTrace {
  root: RecordedTransaction
  /** The results of the webhook deliveries for its payments. */
  reports: readonly Promise<DeliveryReport>[]
}

/** A gateway's watch of the chain. */
export interface ChainWatch {
  /**
   * Sets how the payments of an external message are reported.
   * @returns `ended`, which resolves when the trace is complete, and `forget`, for a message that is not sent.
   */
  expect(message: Cell, notice: Notice): { ended: Promise<EndedTrace>; forget: () => void }
  /** Cancels all waiting calls. */
  reset(): void
  /** Ends the watch and cancels all waiting calls. */
  close(): void
}

interface Expected {
  notice: Notice
  resolve: (trace: EndedTrace) => void
  reject: (error: Error) => void
}

interface WatchState {
  chain: ChainSimulator
  gateway: MockGateway
  /** Awaited traces by the hash of their external message. */
  expected: Map<string, Expected>
  /** Incomplete traces by their root, with the transactions that received the body of a transfer. */
  open: Map<RecordedTransaction, RecordedTransaction[]>
  isClosed: boolean
}

/**
 * Watches a chain for payments of a gateway's transfers by any wallet. A transfer is identified by the hash of the
 * message body, and reported when the trace is complete.
 */
export function watchChain(chain: ChainSimulator, gateway: MockGateway): ChainWatch {
  const traces = { expected: new Map(), open: new Map() }
  const state: WatchState = { chain, gateway, ...traces, isClosed: false }
  const stopLosses = chain.onLost((message) => rejectLost(state, message))
  const stopBlocks = chain.onBlock(({ transactions }) => {
    for (const one of transactions) openTrace(state, one)
    for (const [root, payments] of state.open) if (isEnded(root)) endTrace(state, root, payments)
  })
  return {
    expect: (message, notice) => expectTrace(state, message, notice),
    reset: () => cancelAll(state, 'the simulator was reset'),
    close() {
      state.isClosed = true
      stopBlocks()
      stopLosses()
      cancelAll(state, CLOSED)
    },
  }
}

function expectTrace(
  { expected, isClosed }: WatchState,
  message: Cell,
  notice: Notice,
): ReturnType<ChainWatch['expect']> {
  const key = base64Hash(message.hash())
  const ended = new Promise<EndedTrace>((resolve, reject) => {
    if (isClosed) reject(new MockGatewayError({ status: 503, message: CLOSED }))
    else expected.set(key, { notice, resolve, reject })
  })
  // The promise may be rejected before the caller awaits it.
  ended.catch(() => undefined)
  return { ended, forget: () => void expected.delete(key) }
}

function rejectLost({ expected, open }: WatchState, message: Cell): void {
  const key = base64Hash(message.hash())
  const waiting = expected.get(key)
  expected.delete(key)
  for (const root of open.keys()) if (messageHashOf(root) === key) open.delete(root)
  waiting?.reject(new MockGatewayError({ status: 409, message: LOST }))
}

function openTrace({ gateway, expected, open }: WatchState, one: RecordedTransaction): void {
  const root = rootOf(one)
  const payments = open.get(root) ?? []
  const isPayment = gateway.findByBodyHash(bodyHashOf(one)) !== undefined
  if (isPayment) payments.push(one)
  if (isPayment || expected.has(messageHashOf(root))) open.set(root, payments)
}

function endTrace(
  state: WatchState,
  root: RecordedTransaction,
  payments: readonly RecordedTransaction[],
): void {
  const { expected, open } = state
  const key = messageHashOf(root)
  const waiting = expected.get(key)
  open.delete(root)
  expected.delete(key)
  const reports = payments.flatMap((one) => reportPayment(state, one, waiting?.notice))
  waiting?.resolve({ root, reports })
}

function reportPayment(
  { chain, gateway }: WatchState,
  one: RecordedTransaction,
  notice: Notice,
): Promise<DeliveryReport>[] {
  const transfer = gateway.findByBodyHash(bodyHashOf(one))
  if (notice === 'unnoticed' || transfer === undefined) return []
  const detected = detectPayment(one, { transfer, jettons: chain.jettons })
  if (detected === undefined) return []
  const { reference } = transfer
  const report =
    detected.kind === 'paid'
      ? gateway.pay(reference, { ...detected.payment, delivery: notice })
      : gateway.fail(reference, { ...detected.failure, delivery: notice })
  // Unless a call waits for this report, nothing handles its rejection.
  report.catch(() => undefined)
  return [report]
}

function cancelAll({ expected, open }: WatchState, message: string): void {
  const error = new MockGatewayError({ status: 503, message })
  for (const { reject } of expected.values()) reject(error)
  expected.clear()
  open.clear()
}

const CLOSED = 'the simulator was closed'
const LOST =
  "the chain dropped the wallet's message: it expired, another message had its seqno, the pool was dropped, or the chain was restored; pay again"

/** Returns true when each internal message of a trace was received. */
function isEnded(root: RecordedTransaction): boolean {
  return withDescendants(root).every(({ transaction, children }) => {
    const messages = [...transaction.outMessages.values()]
    return messages.filter(({ info }) => info.type === 'internal').length === children.length
  })
}

function bodyHashOf(one: RecordedTransaction): string {
  const received = receivedBody(one)
  return received === undefined ? '' : base64Hash(received.body.hash())
}

function messageHashOf({ inMessage }: RecordedTransaction): string {
  return inMessage === undefined ? '' : base64Hash(inMessage.hash())
}
