import { canonicalAddress } from '../address/address.js'
import type { TraceDescription } from '../onchain/describe-trace.js'
import type { JettonTransfer } from '../onchain/token-transfers.js'
import type { TraceMessage } from '../onchain/trace-messages.js'
import { transactionsOf } from '../onchain/trace-transactions.js'
import { NATIVE_ASSET } from '../orders/asset.js'
import { canonicalTransactionHash } from '../orders/transaction-hash.js'
import { isAccount, routeOf } from '../proof/payment-route.js'
import { NATIVE_DECIMALS, toDecimal } from '../transfers/decimal-amount.js'
import type { Trace } from '../v3/schemas/trace.js'
import type { TransferData } from '../webhook/payload.js'

/** What a recipient was credited with by one message of a payer. Addresses are canonical. */
export interface Credit {
  /** The hashes of the messages that asked for or brought the money, lower-case hex. */
  credits: readonly string[]
  /** As the index tells it. */
  bodyHash: string
  comment: string | undefined
  sender: string
  recipient: string
  /** `'TON'` or the jetton master. */
  asset: string
  rawAmount: bigint
  /** The transaction that credited the recipient. */
  txHash: string
  traceId: string
  /** Unix seconds. */
  utime: number
}

/** `unsettled`: more may follow, or the index does not tell all. */
export type CreditReading = Credit | 'unsettled' | undefined

/**
 * What a message of a settled trace brought its recipient, at once or through contracts that pass it on; `undefined` when
 * nothing arrived.
 * @param recipient canonical
 */
export function readCredit(
  trace: Trace,
  told: TraceDescription,
  { message, recipient }: { message: TraceMessage; recipient: string },
): CreditReading {
  const route = routeOf(trace, told, { message, recipient })
  const jettons = route.jettons.filter(
    (one) => isAccount(one.recipient, recipient) && one.outcome === 'arrived',
  )
  const money = jettons.length > 0 ? ofJettons(jettons) : ofMessages(route.messages, recipient)
  if (money === undefined || money === 'unsettled') return money
  const received = transactionsOf(trace).find(({ hash }) => hash === money.txHash)
  return {
    bodyHash: message.bodyHash ?? '',
    comment: told.transfers.find(({ hash }) => hash === message.hash)?.comment,
    sender: canonicalAddress(message.sender),
    recipient,
    ...money,
    traceId: told.traceId ?? '',
    utime: received?.now ?? told.utime,
  }
}

type Money = Pick<Credit, 'asset' | 'rawAmount' | 'txHash' | 'credits'>

function ofJettons(jettons: readonly JettonTransfer[]): Money | 'unsettled' | undefined {
  const [first] = jettons
  if (first?.jetton === undefined || first.receivedIn === undefined) return 'unsettled'
  const { jetton, receivedIn } = first
  const alike = jettons.filter((one) => one.jetton === jetton)
  const rawAmount = alike.reduce((sum, { amount }) => sum + amount, 0n)
  return {
    asset: canonicalAddress(jetton),
    rawAmount,
    txHash: receivedIn,
    credits: hashesOf(alike),
  }
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

/** In one order, so that all claim them in the same. */
function hashesOf(credits: readonly { hash: string }[]): string[] {
  return credits.map(({ hash }) => canonicalTransactionHash(hash)).toSorted()
}

/** The credit as the gateway would tell it of an order. */
export function toTransfer(reference: string, credit: Credit): TransferData {
  const { rawAmount, asset, comment } = credit
  return {
    amount: asset === NATIVE_ASSET ? toDecimal(rawAmount, NATIVE_DECIMALS) : rawAmount.toString(),
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
