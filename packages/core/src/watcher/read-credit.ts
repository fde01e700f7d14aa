import type { Transfer } from '../chain/describe-trace.js'
import type { JettonTransfer } from '../chain/token-transfers.js'
import type { TraceMessage } from '../chain/trace-messages.js'
import type { TransferData } from '../orders/payload.js'
import { canonicalTransactionHash } from '../orders/transaction-hash.js'
import { canonicalAddress } from '../shared/address.js'
import { NATIVE_ASSET } from '../shared/asset.js'
import { errorFacts } from '../shared/error-facts.js'
import { isTonplugError } from '../shared/tonplug-error.js'
import { formatUnits, NATIVE_DECIMALS } from '../shared/units.js'
import { isAccount, routeOf, type DescribedTrace } from './proof/payment-route.js'
import { creditsOf } from './proof/verify-credit.js'
import type { Run } from './run.js'

/** A credit of a recipient by one message of a payer. Addresses are canonical. */
export interface Credit {
  /** The hashes of the messages that requested or transferred the money, lower-case hex. */
  credits: readonly string[]
  /** The hash of the body, in the format of the index. */
  bodyHash: string
  comment: string | undefined
  isCommentEncrypted: boolean
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

/** The part of a run that verifies jetton wallets. */
type JettonVerification = Pick<Run, 'jettonWallets' | 'logger' | 'request'>

/** The order that a transfer names. Addresses are canonical. */
interface JettonClaim {
  reference: string
  recipient: string
  asset: string
}

/** Transfers of one jetton to the recipient's wallet. The jetton master and the wallet name each other. */
interface VerifiedJettons {
  master: string
  transfers: readonly JettonTransfer[]
}

/**
 * Returns the credit that a message of a settled trace caused, directly or through contracts that forward it; `undefined`
 * when the recipient was not credited. Jetton wallets are verified through their masters.
 * @returns `'unsettled'` when more may follow, the index does not return everything, or a jetton master cannot be asked
 */
export async function readCredit(
  described: DescribedTrace,
  { message, ...claim }: JettonClaim & { message: TraceMessage },
  verification: JettonVerification,
): Promise<Credit | 'unsettled' | undefined> {
  const { recipient } = claim
  const { description } = described
  const route = routeOf(described, { message, recipient })
  const jettons = route.jettons.filter(
    (one) => isAccount(one.recipient, recipient) && one.outcome === 'arrived',
  )
  const money =
    jettons.length > 0
      ? ofJettons(await verifyJettons(jettons, claim, verification))
      : ofMessages(route.messages, recipient)
  if (money === undefined || money === 'unsettled') return money
  const transfer = description.transfers.find(({ hash }) => hash === message.hash)
  return {
    bodyHash: message.bodyHash ?? '',
    comment: transfer?.comment,
    isCommentEncrypted: transfer?.encryptedComment !== undefined,
    sender: canonicalAddress(message.sender),
    recipient,
    ...money,
    transactions: route.ownTransactions.map(canonicalTransactionHash).toSorted(),
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
  return { asset, rawAmount, txHash, credits: creditsOf(transfers) }
}

function ofMessages(messages: readonly TraceMessage[], recipient: string): Money | undefined {
  const received = messages.filter(
    (one) => isAccount(one.recipient, recipient) && !one.isBounced && one.outcome === 'arrived',
  )
  const rawAmount = received.reduce((sum, { value }) => sum + value, 0n)
  const txHash = received[0]?.receivedIn
  return txHash === undefined || rawAmount === 0n
    ? undefined
    : { asset: NATIVE_ASSET, rawAmount, txHash, credits: creditsOf(received) }
}

/**
 * Verifies transfers of jettons through the jetton masters: that of the order's asset, and otherwise the one that the index
 * names for the first transfer. The credited wallet must name the same master and recipient. Other transfers are ignored.
 * @returns the transfers of one jetton; `'unsettled'` when a contract cannot be asked or the index does not name the master
 * yet; `undefined` when all are ignored.
 * @throws the reason of the request's signal
 */
export async function verifyJettons(
  transfers: readonly JettonTransfer[],
  claim: JettonClaim,
  verification: JettonVerification,
): Promise<VerifiedJettons | 'unsettled' | undefined> {
  const { logger, request } = verification
  const { reference, asset } = claim
  try {
    const paid = asset === NATIVE_ASSET ? undefined : await verify(asset)
    if (paid !== undefined) return paid
    const [first] = transfers
    if (first?.jetton === undefined) return 'unsettled'
    const other = canonicalAddress(first.jetton)
    const verified = other === asset ? undefined : await verify(other)
    if (verified !== undefined) return verified
    logger.warn('payment ignored: jetton master and jetton wallet do not name each other', {
      reference,
      txHash: first.receivedIn,
      jetton: first.jetton,
      jettonWallet: first.recipientWallet,
    })
    return undefined
  } catch (error) {
    request.signal?.throwIfAborted()
    if (!isTonplugError(error)) throw error
    logger.warn('jetton wallet not verified: its contract or the jetton master cannot be asked', {
      reference,
      error: errorFacts(error),
    })
    return 'unsettled'
  }

  async function verify(master: string): Promise<VerifiedJettons | 'unsettled' | undefined> {
    const { jettonWallets } = verification
    const jetton = { master, owner: claim.recipient }
    const wallet = await jettonWallets.find(jetton, request)
    if (wallet === undefined) return undefined
    const credited = transfers.filter((one) => isAccount(one.recipientWallet, wallet))
    if (credited.length === 0) return undefined
    const verdict = await jettonWallets.confirm(jetton, wallet, request)
    if (verdict === 'confirmed') return { master, transfers: credited }
    // It was credited, so it has a contract: the node is behind the index.
    return verdict === 'undeployed' ? 'unsettled' : undefined
  }
}

/** Returns the money of a transfer, as the index reports it: the jetton wallet is not verified. */
export function statedMoney(
  transfer: Transfer,
): { recipient: string; asset: string; rawAmount: bigint } | undefined {
  if (transfer.kind === 'nft' || transfer.recipient === undefined) return undefined
  const recipient = canonicalAddress(transfer.recipient)
  const { amount: rawAmount } = transfer
  if (transfer.kind === 'native') return { recipient, asset: NATIVE_ASSET, rawAmount }
  if (transfer.jetton === undefined) return undefined
  return { recipient, asset: canonicalAddress(transfer.jetton), rawAmount }
}

/** Returns the credit as the gateway would report it for an order. */
export function toTransfer(reference: string, credit: Credit): TransferData {
  const { rawAmount, asset, comment, isCommentEncrypted } = credit
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
    ...(isCommentEncrypted && { isCommentEncrypted }),
    date: new Date(credit.utime * 1000).toISOString(),
  }
}
