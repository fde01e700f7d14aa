import { z } from 'zod'
import { unlessNotFound } from '../../chain/find-trace.js'
import {
  refuted,
  type PaymentClaim,
  type PaymentProof,
  type ProofVerdict,
} from '../../orders/payment-proof.js'
import { AddressError, canonicalAddress } from '../../shared/address.js'
import { isTonplugError } from '../../shared/tonplug-error.js'
import { undefinedOn } from '../../shared/undefined-on.js'
import { parseBaseUnits } from '../../shared/units.js'
import { canonicalAsset } from '../../shared/asset.js'
import { canonicalTransactionHash } from '../../orders/transaction-hash.js'
import { objectWith, parseOptions, positive, type OptionSchemas } from '../../shared/options.js'
import type { RequestOptions } from '../../toncenter/transport/call-options.js'
import type { V3Client } from '../../toncenter/v3/client.js'
import type { ExpectedPayment } from './expected-payment.js'
import { createJettonWallets, type JettonWallets, type WalletVerdict } from './jetton-wallets.js'
import { verifyPayment } from './verify-payment.js'
import { timeOf } from '../../orders/order-age.js'
import { readBodyHash } from '../../orders/body-hash.js'

const HASH = /^[0-9a-f]{64}$/
const DEADLINE_MS = 3_600_000
/** Deadline of one look, with retries and the wait for the rate limit. */
const LOOK_MS = 60_000

/** Longest part of an error message that is kept. */
const LONGEST_DETAIL = 500

/** The methods of a client of API v3 that a proof needs. */
type ProofReader = Pick<V3Client, 'traces' | 'runGetMethod'>

export interface PaymentProofOptions {
  /** A client of the network that the shop is paid on. Its rate limit applies, with low priority. */
  v3: ProofReader
  /**
   * Milliseconds that a payment may stay unproven, from the moment that its decision waits for the proof. After that it
   * is `unverified`.
   * @default 3_600_000 (one hour)
   */
  deadlineMs?: number | undefined
  /**
   * Nanocoins that may be missing from a direct payment in the native coin: for payers whose wallets subtract the fee of
   * the message from the value. Fees of forwarding contracts need no allowance.
   * @default 0n
   */
  feeAllowance?: bigint | undefined
}

const SCHEMA = z.strictObject({
  v3: objectWith<ProofReader>('the result of createV3Client()', ['traces', 'runGetMethod']),
  deadlineMs: positive.default(DEADLINE_MS),
  feeAllowance: z.bigint().min(0n, 'must be nanocoins of zero or more').default(0n),
} satisfies OptionSchemas<PaymentProofOptions>)

/**
 * Creates a proof of payments by API v3, for `verifyOnChain`: no order is fulfilled before its payment was found in a final
 * block, with the message, amount, asset, sender and recipient that the webhook reported. The jetton master and the jetton
 * wallet must name each other. A payment that is older than its order is refuted, unless the order's `bodyBase64Hash` is
 * that of the payer's message.
 * @throws {ConfigurationError} when an option is missing or cannot work.
 * @example
 * ```ts
 * import { createPaymentProof, createPayments, memoryOrderRepository } from '@tonplug/core'
 * import { createV3Client } from '@tonplug/core/toncenter'
 *
 * const v3 = createV3Client({ network: 'mainnet', apiKey: process.env.TONCENTER_API_KEY })
 *
 * const payments = createPayments({
 *   orders: memoryOrderRepository(),
 *   wallets: [process.env.SHOP_WALLET ?? ''],
 *   verifyOnChain: createPaymentProof({ v3 }),
 *   onPaid: ({ order }) => console.log(`${order.reference} is paid, and proven`),
 *   onUnverified: ({ order, decision }) => console.error(order.reference, decision.reason),
 * })
 * ```
 */
export function createPaymentProof(options: PaymentProofOptions): PaymentProof {
  const { v3, deadlineMs, feeAllowance } = parseOptions(SCHEMA, options)
  const jettonWallets = createJettonWallets(v3)
  return {
    deadlineMs,
    async prove(claim, { signal }) {
      const expected = expectedOf(claim, feeAllowance)
      if ('kind' in expected) return expected
      try {
        const request = { signal, deadlineMs: LOOK_MS, priority: 'low' } as const
        return await look({ v3, jettonWallets }, expected, request)
      } catch (error) {
        signal.throwIfAborted()
        const detail = isTonplugError(error) ? error.message : 'API v3 failed unexpectedly'
        return { kind: 'unsettled', reason: 'unreachable', detail: detail.slice(0, LONGEST_DETAIL) }
      }
    },
  }
}

/** A payment with the transaction that the webhook named. */
type ExpectedClaim = ExpectedPayment & { txHash: string }

/** Returns the payment that the chain must show, or the verdict on a claim that is invalid by itself. */
function expectedOf(
  { transfer, order: { reference, bodyBase64Hash, createdAt, asset } }: PaymentClaim,
  feeAllowance: bigint,
): ExpectedClaim | ProofVerdict {
  const { txHash, traceId } = transfer
  // A payment that was found on the chain or at the gateway may lack fields: a missing field needs no proof.
  const hashes = {
    txHash: canonicalTransactionHash(txHash),
    ...(traceId !== '' && { traceId: canonicalTransactionHash(traceId) }),
    bodyHash: canonicalTransactionHash(transfer.bodyBase64Hash || (bodyBase64Hash ?? '')),
  }
  if (!Object.values(hashes).every((hash) => HASH.test(hash))) {
    return refuted('unreadable', 'txHash, traceId and bodyBase64Hash must be hashes of 256 bits')
  }
  const isOther =
    typeof bodyBase64Hash === 'string' &&
    canonicalTransactionHash(bodyBase64Hash) !== hashes.bodyHash
  if (isOther) {
    const detail = `the order is paid by a message with the body ${bodyBase64Hash}`
    return refuted('other_message', detail)
  }
  const rawAmount = parseBaseUnits(transfer.rawAmount)
  if (rawAmount === undefined) {
    return refuted('other_amount', 'rawAmount must be a decimal integer')
  }
  const sender = canonicalOrNone(transfer.senderAddr)
  if (sender === undefined && transfer.senderAddr !== '') {
    return refuted('other_sender', 'senderAddr must be an address')
  }
  const recipient = canonicalOrNone(transfer.recipientAddr)
  if (recipient === undefined) return refuted('other_recipient', 'recipientAddr must be an address')
  // The body binds the payment to the order, so its age does not matter.
  const isBound = readBodyHash(bodyBase64Hash) !== undefined
  const createdMs = isBound ? undefined : timeOf(createdAt)
  const paid = { rawAmount, sender, recipient, asset: canonicalAsset(asset) }
  return { ...hashes, ...paid, feeAllowance, createdMs, reference }
}

async function look(
  { v3, jettonWallets }: { v3: ProofReader; jettonWallets: JettonWallets },
  expected: ExpectedClaim,
  request: RequestOptions,
): Promise<ProofVerdict> {
  const query = { tx_hash: [expected.txHash], include_actions: true, limit: 1 }
  const { traces: [trace] = [], metadata } = (await unlessNotFound(v3.traces(query, request))) ?? {}
  if (trace === undefined) {
    const detail = `the index has no transaction ${expected.txHash}; it may be of another network`
    return { kind: 'unsettled', reason: 'not_found', detail }
  }
  const verdict = verifyPayment({ trace, metadata }, expected)
  if (verdict.kind !== 'unsettled' || verdict.reason !== 'unknown_asset') return verdict
  const jetton = { master: expected.asset, owner: expected.recipient }
  const jettonWallet = await jettonWallets.find(jetton, request)
  if (jettonWallet === undefined) return verdict
  const named = verifyPayment({ trace, metadata }, { ...expected, jettonWallet })
  if (named.kind !== 'proven') return named
  const { [await jettonWallets.confirm(jetton, jettonWallet, request)]: denial } = DENIALS
  if (denial === undefined) return named
  const detail = `the jetton master ${jetton.master} names the account ${jettonWallet}, ${denial}`
  return { kind: 'unsettled', reason: 'unknown_asset', detail }
}

/** Why the account that a jetton master names is not the recipient's jetton wallet. */
const DENIALS = {
  confirmed: undefined,
  denied: 'which is not a jetton wallet of this jetton and this recipient',
  undeployed: 'where the node has no contract',
} satisfies Record<WalletVerdict, string | undefined>

function canonicalOrNone(text: string): string | undefined {
  return undefinedOn(AddressError, () => canonicalAddress(text))
}
