import { canonicalAddress, NATIVE_ASSET } from '@tonplug/core'
import { parseOptions } from '@tonplug/core/internal'
import { z } from 'zod'
import {
  checkDelivery,
  MockGatewayError,
  type DeliveryChoice,
  type DeliveryReport,
  type MockGateway,
} from '@tonplug/testing'
import type { ChainSimulator } from './chain-simulator.js'
import type { ChainWatch } from './chain-watch.js'
import { MessageRejectedError } from './chain/message-rejected-error.js'
import type { RecordedTransaction } from './chain/recorded-transaction.js'
import type { SimulatedJetton } from './chain/simulated-jetton.js'
import type { SimulatedWallet } from './chain/simulated-wallet.js'
import { paymentMessage, type PaymentMessageOptions } from './payment-message.js'
import type { SerialQueue } from './shared/serial-queue.js'

/** Options of a payment; omitted fields are as in the transfer. */
export interface ChainPayment extends PaymentMessageOptions, DeliveryChoice {
  /** The paying wallet. @default the simulator's buyer */
  from?: SimulatedWallet | undefined
  /** Number of equal messages in one transaction of the wallet; each is a payment. @default 1 */
  times?: number | undefined
  /** Hides the payment from the gateway: the status does not change, and no webhook is sent. @default false */
  isUnnoticed?: boolean | undefined
}

/** The result of a payment. */
export interface ChainPaymentResult {
  /** The wallet's transaction, which is the root of the trace. Its hash is the transfer's `traceId`. */
  transaction: RecordedTransaction
  /** The result of the webhook deliveries; without a webhook it has no attempts. */
  report: DeliveryReport
}

// The gateway and the chain check their values.
const field = z.any().optional()

const PAYMENT_OPTIONS = z.strictObject({
  from: field,
  times: field,
  isUnnoticed: field,
  delivery: field,
  rawAmount: field,
  to: field,
  jetton: field,
  isBounced: field,
} satisfies Record<keyof ChainPayment, z.ZodType>)

/** The parts of a simulator that a payment needs. */
interface PayingParts {
  chain: ChainSimulator
  gateway: MockGateway
  watch: ChainWatch
  buyer: SimulatedWallet
  /** Each message of a wallet needs the next seqno. */
  enqueue: SerialQueue
}

/** Pays a transfer on the chain. See `Simulator.pay`. */
export async function payOnChain(
  { chain, gateway, watch, buyer, enqueue }: PayingParts,
  reference: string,
  options: ChainPayment = {},
): Promise<ChainPaymentResult> {
  parseOptions(PAYMENT_OPTIONS, options)
  const { from = buyer, times = 1, isUnnoticed = false, delivery, ...deviations } = options
  checkDelivery(delivery)
  checkTimes(times, from)
  const message = gateway.message(reference)
  const requested = requestedJetton(chain, gateway.transfer(reference).asset)
  const paying = paymentMessage({ message, from, requested }, deviations)
  const { root, reports } = await enqueue(async () => {
    const signed = await from.sign(Array.from({ length: times }, () => paying))
    const { ended, forget } = watch.expect(signed, isUnnoticed ? 'unnoticed' : delivery)
    await chain.send(signed).catch(async (error: unknown) => {
      forget()
      const { balance } = await chain.account(from.address)
      if (error instanceof MessageRejectedError && balance === 0n) throw nothingSent(from, 0n)
      throw error
    })
    return ended
  }, from.address.toRawString())
  if (root.outMessages.length === 0) throw nothingSent(from, root.before.balance)
  return { transaction: root, report: mergeReports(await Promise.all(reports)) }
}

/** Returns the deployed jetton with this master, in any address format. */
export function jettonAt(chain: ChainSimulator, master: string): SimulatedJetton | undefined {
  const canonical = canonicalAddress(master)
  return chain.jettons.find((one) => canonicalAddress(one.master.toRawString()) === canonical)
}

/** Formats a wallet's address as wallet apps do. */
export function formatAddress({ address }: SimulatedWallet): string {
  return address.toString({ bounceable: false })
}

function checkTimes(times: number, { version }: SimulatedWallet): void {
  const most = version === 'v5' ? 255 : 4
  if (Number.isInteger(times) && times >= 1 && times <= most) return
  const message = `times must be a whole number from 1 to ${most}, the limit of a ${version} wallet; received ${times}`
  throw new MockGatewayError({ status: 400, message })
}

/** Returns the jetton of a transfer; `undefined` for the native coin. */
function requestedJetton(chain: ChainSimulator, asset: string): SimulatedJetton | undefined {
  if (asset === NATIVE_ASSET) return undefined
  const jetton = jettonAt(chain, asset)
  if (jetton !== undefined) return jetton
  const message = `the chain has no jetton ${asset}; use gateway.pay for its transfers`
  throw new MockGatewayError({ status: 400, message })
}

function mergeReports(reports: readonly DeliveryReport[]): DeliveryReport {
  return {
    isDelivered: reports.length > 0 && reports.every(({ isDelivered }) => isDelivered),
    attempts: reports.flatMap(({ attempts }) => attempts),
  }
}

function nothingSent(from: SimulatedWallet, balance: bigint): MockGatewayError {
  const message = `the wallet ${formatAddress(from)} sent nothing: its balance is ${balance} nanocoins; add coins with chain.fund`
  return new MockGatewayError({ status: 409, message })
}
