import { canonicalAddress } from '../address/address.js'
import { CellError } from '../cells/cell.js'
import { AddressError } from '../errors/address.js'
import { ConfigurationError } from '../errors/configuration.js'
import { isTonplugError } from '../errors/tonplug-error.js'
import { parseBaseUnits } from '../orders/amount.js'
import { canonicalAsset } from '../orders/asset.js'
import type { Order } from '../orders/order.js'
import { canonicalTransactionHash } from '../orders/transaction-hash.js'
import { checkOptionNames } from '../transport/option-names.js'
import type { RequestOptions } from '../transport/options.js'
import { positive } from '../transport/check-number.js'
import type { V3Client } from '../v3/client.js'
import type { TransferData } from '../webhook/payload.js'
import { findJettonWallet } from './jetton-wallet.js'
import { judgePayment, type ExpectedPayment, type ToldTrace } from './judge-payment.js'
import type { ProofVerdict } from './verdict.js'

const HASH = /^[0-9a-f]{64}$/
const DEADLINE_MS = 3_600_000
/** Of one look, retries and the wait for the rate limit included. */
const LOOK_MS = 60_000

/** What a server says of itself may be long. */
const LONGEST_DETAIL = 500

/** As much of a client of API v3 as a proof needs. */
export type ProofReader = Pick<V3Client, 'traces' | 'runGetMethod'>

export interface PaymentProofOptions {
  /** A client of the network that the shop is paid on. Its rate limit is kept, and whoever waits for a page goes first. */
  v3: ProofReader
  /**
   * How long a payment may stay unproven, from the moment that its decision waits for the proof. After that it is
   * `unverified`.
   * @default 3_600_000 (one hour)
   */
  deadlineMs?: number | undefined
  /**
   * By how many nanocoins a payment in the native coin may be less than its webhook says, although it went straight to the
   * recipient: for payers whose wallets take the fee of the message out of it. Fees of contracts in between need none.
   * @default 0n
   */
  feeAllowance?: bigint | undefined
}

const NAMES: Record<keyof PaymentProofOptions, true> = {
  v3: true,
  deadlineMs: true,
  feeAllowance: true,
}

/** A transfer to prove, and the order that it is for. */
export interface PaymentClaim {
  /** As the webhook told it. The rules have found nothing against it. */
  transfer: TransferData
  order: Order
}

/** Proves payments on the chain: the receiver's `verifyOnChain`. */
export interface PaymentProof {
  readonly deadlineMs: number
  /** Looks once. Rejects only with the reason of `signal`. */
  prove(claim: PaymentClaim, options: { signal: AbortSignal }): Promise<ProofVerdict>
}

/**
 * A proof of payments by API v3, for `verifyOnChain`: no order is fulfilled before its payment was found in a final block,
 * with the message, amount, asset, sender and recipient that the webhook told.
 * @throws {ConfigurationError} when an option is missing or cannot work.
 * @example
 * ```ts
 * import {
 *   createPaymentProof,
 *   createV3Client,
 *   createWebhookReceiver,
 *   memoryOrderRepository,
 * } from '@tonplug/core'
 *
 * const v3 = createV3Client({ network: 'mainnet', apiKey: process.env.TONCENTER_API_KEY })
 *
 * createWebhookReceiver({
 *   secrets: process.env.TONPAY_WEBHOOK_SECRET ?? '',
 *   orders: memoryOrderRepository(),
 *   recipients: [process.env.SHOP_WALLET ?? ''],
 *   verifyOnChain: createPaymentProof({ v3 }),
 *   onPaid: ({ order }) => console.log(`${order.reference} is paid, and proven`),
 *   onUnverified: ({ order, decision }) => console.error(order.reference, decision.reason),
 * })
 * ```
 */
export function createPaymentProof(options: PaymentProofOptions): PaymentProof {
  checkOptionNames(options, Object.keys(NAMES))
  const { v3, feeAllowance = 0n } = options
  if (typeof v3?.traces !== 'function' || typeof v3.runGetMethod !== 'function') {
    const problem = 'is no client of API v3; give what createV3Client() returns'
    throw new ConfigurationError({ option: 'v3', problem })
  }
  if (typeof feeAllowance !== 'bigint' || feeAllowance < 0n) {
    const problem = `is ${String(feeAllowance)}; give nanocoins as a bigint of zero or more`
    throw new ConfigurationError({ option: 'feeAllowance', problem })
  }
  const deadlineMs = positive('deadlineMs', options.deadlineMs ?? DEADLINE_MS)
  return {
    deadlineMs,
    async prove(claim, { signal }) {
      const expected = expectedOf(claim, feeAllowance)
      if ('kind' in expected) return expected
      try {
        return await look(v3, expected, { signal, deadlineMs: LOOK_MS, priority: 'low' })
      } catch (error) {
        signal.throwIfAborted()
        const detail = isTonplugError(error) ? error.message : 'API v3 failed unexpectedly'
        return { kind: 'unsettled', reason: 'unreachable', detail: detail.slice(0, LONGEST_DETAIL) }
      }
    },
  }
}

/** What the chain must show, or why it cannot show it. */
function expectedOf(
  { transfer, order }: PaymentClaim,
  feeAllowance: bigint,
): ExpectedClaim | ProofVerdict {
  // A payment that was found on the chain or at the gateway may not be told in full: what is not told needs no proof.
  const { traceId, senderAddr } = transfer
  const bodyHash = transfer.bodyBase64Hash || (order.bodyBase64Hash ?? '')
  const hashes = {
    txHash: canonicalTransactionHash(transfer.txHash),
    ...(traceId !== '' && { traceId: canonicalTransactionHash(traceId) }),
    bodyHash: canonicalTransactionHash(bodyHash),
  }
  if (!Object.values(hashes).every((hash) => HASH.test(hash))) {
    const detail = 'txHash, traceId and bodyBase64Hash must be hashes of 256 bits'
    return { kind: 'refuted', reason: 'unreadable', detail }
  }
  const { bodyBase64Hash } = order
  if (typeof bodyBase64Hash === 'string') {
    if (canonicalTransactionHash(bodyBase64Hash) !== hashes.bodyHash) {
      const detail = `the order is paid by a message with the body ${bodyBase64Hash}`
      return { kind: 'refuted', reason: 'other_message', detail }
    }
  }
  const rawAmount = parseBaseUnits(transfer.rawAmount)
  if (rawAmount === undefined) {
    return { kind: 'refuted', reason: 'other_amount', detail: 'rawAmount is no number' }
  }
  const sender = addressOr(senderAddr)
  if (sender === undefined && senderAddr !== '') {
    return { kind: 'refuted', reason: 'other_sender', detail: 'senderAddr is no address' }
  }
  const recipient = addressOr(transfer.recipientAddr)
  if (recipient === undefined) {
    return { kind: 'refuted', reason: 'other_recipient', detail: 'recipientAddr is no address' }
  }
  const asset = canonicalAsset(order.asset)
  return { ...hashes, rawAmount, sender, recipient, asset, feeAllowance }
}

/** Everything that a webhook tells. */
type ExpectedClaim = ExpectedPayment & { txHash: string }

async function look(
  v3: ProofReader,
  expected: ExpectedClaim,
  request: RequestOptions,
): Promise<ProofVerdict> {
  const told = await findTrace(v3, expected.txHash, request)
  if (told === undefined) {
    const detail = `the index has no transaction ${expected.txHash}; it may be of another network`
    return { kind: 'unsettled', reason: 'not_found', detail }
  }
  const verdict = judgePayment(told, expected)
  if (verdict.kind !== 'unsettled' || verdict.reason !== 'unknown_asset') return verdict
  const { asset: master, recipient: owner } = expected
  const jettonWallet = await askMaster(v3, { master, owner }, request)
  return jettonWallet === undefined ? verdict : judgePayment(told, { ...expected, jettonWallet })
}

async function findTrace(
  v3: ProofReader,
  txHash: string,
  request: RequestOptions,
): Promise<ToldTrace | undefined> {
  try {
    const { traces, metadata } = await v3.traces(
      { tx_hash: [txHash], include_actions: true, limit: 1 },
      request,
    )
    const [trace] = traces
    return trace && { trace, metadata }
  } catch (error) {
    // Some servers say 404 for an empty list.
    if (isTonplugError(error) && error.code === 'ERR_TONPLUG_NOT_FOUND') return undefined
    throw error
  }
}

/** Nothing where the account of the asset is no master, or answers what cannot be read. */
async function askMaster(
  v3: ProofReader,
  jetton: { master: string; owner: string },
  request: RequestOptions,
): Promise<string | undefined> {
  try {
    return await findJettonWallet(v3, jetton, request)
  } catch (error) {
    if (error instanceof CellError) return undefined
    if (isTonplugError(error) && error.code === 'ERR_TONPLUG_GET_METHOD') return undefined
    throw error
  }
}

function addressOr(text: string): string | undefined {
  try {
    return canonicalAddress(text)
  } catch (error) {
    if (error instanceof AddressError) return undefined
    throw error
  }
}
