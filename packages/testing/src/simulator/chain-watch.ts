import type { Cell } from '@ton/core'
import type { ChainBlock } from '../chain/block.js'
import type { ChainSimulator } from '../chain/chain-simulator.js'
import { rootOf, withDescendants, type RecordedTransaction } from '../chain/recorded-transaction.js'
import { base64Hash } from '../chain/spellings.js'
import type { DeliveryReport } from '../gateway/dispatcher.js'
import type { GatewayStandIn, Reporting } from '../gateway/gateway-stand-in.js'
import { GatewayStandInError } from '../gateway/stand-in-error.js'
import { judgePayment, receivedBody } from './seen-payment.js'

/** How the gateway tells of payments, or that it does not see them. */
type Notice = Reporting['delivery'] | 'unnoticed'

/** A trace that has ended. */
interface EndedTrace {
  root: RecordedTransaction
  /** What becomes of the webhooks for the payments in it. */
  reports: readonly Promise<DeliveryReport>[]
}

/** The gateway's eyes on the chain. */
export interface ChainWatch {
  /**
   * Has the payments of a message from outside noticed in their own way.
   * @returns when the trace of that message has ended; and what forgets it, should it never be sent.
   */
  expect(message: Cell, notice: Notice): { ended: Promise<EndedTrace>; forget: () => void }
  /** Forgets what has begun; who waits for it is told so. */
  reset(): void
  /** Sees nothing any more. */
  close(): void
}

interface Expected {
  notice: Notice
  resolve: (trace: EndedTrace) => void
  reject: (error: Error) => void
}

/**
 * Watches a chain for the payments of a gateway's transfers, whoever sends them: a transfer is known by the hash of the
 * body, and told of when its trace has ended.
 */
export function watchChain(chain: ChainSimulator, gateway: GatewayStandIn): ChainWatch {
  const expected = new Map<string, Expected>()
  /** By the first transaction of a trace that goes on, those that received the body of a transfer. */
  const open = new Map<RecordedTransaction, RecordedTransaction[]>()

  const tell = (one: RecordedTransaction, notice: Notice): Promise<DeliveryReport>[] => {
    const transfer = gateway.findByBodyHash(bodyHashOf(one))
    if (notice === 'unnoticed' || transfer === undefined) return []
    const seen = judgePayment(one, { transfer, jettons: chain.jettons })
    if (seen === undefined) return []
    const { reference } = transfer
    const report =
      seen.kind === 'paid'
        ? gateway.pay(reference, { ...seen.payment, delivery: notice })
        : gateway.fail(reference, { ...seen.failure, delivery: notice })
    // Of a payment that nobody expects, nobody hears that its report failed.
    report.catch(() => undefined)
    return [report]
  }
  const forget = (message: string): void => {
    const error = new GatewayStandInError({ status: 503, message })
    for (const { reject } of expected.values()) reject(error)
    expected.clear()
    open.clear()
  }
  const stopLosses = chain.onLost((message) => {
    const key = base64Hash(message.hash())
    const waiting = expected.get(key)
    expected.delete(key)
    for (const root of open.keys()) if (messageHashOf(root) === key) open.delete(root)
    waiting?.reject(new GatewayStandInError({ status: 409, message: LOST }))
  })
  let isClosed = false
  const stop = chain.onBlock(({ transactions }: ChainBlock) => {
    for (const one of transactions) {
      const root = rootOf(one)
      const payments = open.get(root) ?? []
      const isPayment = gateway.findByBodyHash(bodyHashOf(one)) !== undefined
      if (isPayment) payments.push(one)
      if (isPayment || expected.has(messageHashOf(root))) open.set(root, payments)
    }
    for (const [root, payments] of open) {
      if (!isEnded(root)) continue
      open.delete(root)
      const waiting = expected.get(messageHashOf(root))
      expected.delete(messageHashOf(root))
      const reports = payments.flatMap((one) => tell(one, waiting?.notice))
      waiting?.resolve({ root, reports })
    }
  })

  return {
    expect(message, notice) {
      const key = base64Hash(message.hash())
      const ended = new Promise<EndedTrace>((resolve, reject) => {
        if (isClosed) reject(new GatewayStandInError({ status: 503, message: CLOSED }))
        else expected.set(key, { notice, resolve, reject })
      })
      // It may end before anybody listens.
      ended.catch(() => undefined)
      return { ended, forget: () => void expected.delete(key) }
    },
    reset: () => forget('the simulator was reset'),
    close() {
      isClosed = true
      stop()
      stopLosses()
      forget(CLOSED)
    },
  }
}

const CLOSED = 'the simulator was closed'
const LOST =
  "the chain has lost the wallet's message: it expired, another one came first, the pool was dropped, or the chain was restored; pay again"

/** Whether each message of a trace was received. */
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
