import { canonicalAddress } from '../shared/address.js'
import type { TraceDescription } from '../chain/describe-trace.js'
import type { TraceMessage } from '../chain/trace-messages.js'
import { NATIVE_ASSET } from '../shared/asset.js'
import { canonicalTransactionHash } from '../orders/transaction-hash.js'
import { isAccount, ownTransactionsOf, routeOf } from './proof/payment-route.js'
import { formatUnits, NATIVE_DECIMALS } from '../shared/units.js'
import type { Trace } from '../toncenter/v3/schemas/trace.js'
import type { TransferData } from '../orders/payload.js'
import {
  verifyJettons,
  type JettonClaim,
  type JettonVerification,
  type VerifiedJettons,
} from './verify-jettons.js'

/** A credit of a recipient by one message of a payer. Addresses are canonical. */
export interface Credit {
  /** The hashes of the messages that requested or transferred the money, lower-case hex. */
  credits: readonly string[]
  /** The hash of the body, in the format of the index. */
  bodyHash: string
  comment: string | undefined
  sender: string
  recipient: string
  /** `'TON'` or the jetton master. */
  asset: string
  rawAmount: bigint
  /** The transaction that credited the recipient. */
  txHash: string
  /** Canonical hashes of the transactions from payer to recipient that no other payment shares. */
  transactions: readonly string[]
  traceId: string
  /** Unix seconds. */
  utime: number
}

/** `unsettled`: more may follow, the index does not return everything, or a jetton master cannot be asked. */
export type CreditReading = Credit | 'unsettled' | undefined

/** A payer's message and the order that it names. Addresses are canonical. */
interface NamedOrder extends JettonClaim {
  message: TraceMessage
}

/**
 * Returns the credit that a message of a settled trace caused, directly or through contracts that forward it; `undefined`
 * when the recipient was not credited. Jetton wallets are verified through their masters.
 */
export async function readCredit(
  trace: Trace,
  description: TraceDescription,
  { message, ...claim }: NamedOrder,
  verification: JettonVerification,
): Promise<CreditReading> {
  const { recipient } = claim
  const route = routeOf(trace, description, { message, recipient })
  const jettons = route.jettons.filter(
    (one) => isAccount(one.recipient, recipient) && one.outcome === 'arrived',
  )
  const money =
    jettons.length > 0
      ? ofJettons(await verifyJettons(jettons, claim, verification))
      : ofMessages(route.messages, recipient)
  if (money === undefined || money === 'unsettled') return money
  const transactions = [...ownTransactionsOf(trace, description, route)]
  return {
    bodyHash: message.bodyHash ?? '',
    comment: description.transfers.find(({ hash }) => hash === message.hash)?.comment,
    sender: canonicalAddress(message.sender),
    recipient,
    ...money,
    transactions: transactions.map(canonicalTransactionHash).toSorted(),
    traceId: description.traceId ?? '',
    utime: route.times.get(money.txHash) ?? description.utime,
  }
}

type Money = Pick<Credit, 'asset' | 'rawAmount' | 'txHash' | 'credits'>

function ofJettons(
  verified: VerifiedJettons | 'unsettled' | undefined,
): Money | 'unsettled' | undefined {
  if (verified === undefined || verified === 'unsettled') return verified
  const { master: asset, transfers } = verified
  const txHash = transfers[0]?.receivedIn
  if (txHash === undefined) return 'unsettled'
  const rawAmount = transfers.reduce((sum, { amount }) => sum + amount, 0n)
  return { asset, rawAmount, txHash, credits: hashesOf(transfers) }
}

function ofMessages(messages: readonly TraceMessage[], recipient: string): Money | undefined {
  const received = messages.filter(
    (one) => isAccount(one.recipient, recipient) && !one.isBounced && one.outcome === 'arrived',
  )
  const rawAmount = received.reduce((sum, { value }) => sum + value, 0n)
  const txHash = received[0]?.receivedIn
  return txHash === undefined || rawAmount === 0n
    ? undefined
    : { asset: NATIVE_ASSET, rawAmount, txHash, credits: hashesOf(received) }
}

/** Returns sorted hashes, so that all processes claim them in the same order. */
function hashesOf(credits: readonly { hash: string }[]): string[] {
  return credits.map(({ hash }) => canonicalTransactionHash(hash)).toSorted()
}

/** Returns the credit as the gateway would report it for an order. */
export function toTransfer(reference: string, credit: Credit): TransferData {
  const { rawAmount, asset, comment } = credit
  return {
    amount: asset === NATIVE_ASSET ? formatUnits(rawAmount, NATIVE_DECIMALS) : rawAmount.toString(),
    rawAmount: rawAmount.toString(),
    senderAddr: credit.sender,
    recipientAddr: credit.recipient,
    asset,
    status: 'success',
    reference,
    bodyBase64Hash: credit.bodyHash,
    txHash: credit.txHash,
    traceId: credit.traceId,
    ...(comment !== undefined && { commentToRecipient: comment.replaceAll('\u0000', '\uFFFD') }),
    date: new Date(credit.utime * 1000).toISOString(),
  }
}
