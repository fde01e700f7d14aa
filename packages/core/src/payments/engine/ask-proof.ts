import type {
  PaymentClaim,
  PaymentVerifier,
  VerificationResult,
} from '../ledger/payment-verifier.js'
import type { Order } from '../orders/order.js'
import type { TransferData } from '../orders/payload.js'
import { canonicalAsset, NATIVE_ASSET } from '../../shared/asset.js'
import { errorFacts } from '../../shared/error-facts.js'
import { withDeadline } from '../../shared/timers.js'
import { parseBaseUnits } from '../../shared/units.js'
import { unlessInvalid } from './compare-reports.js'
import type { Runtime } from './engine-parts.js'

/** Longer than the two requests of one attempt may take. */
const ANSWER_MS = 130_000

/** The proof of the shop, and the process that asks it. */
interface AskingParts {
  policy: { proof: PaymentVerifier }
  runtime: Pick<Runtime, 'clock' | 'logger'>
}

/**
 * Asks the proof for its verdict. The proof may be the shop's own: one that throws, hangs or returns anything else counts
 * as unreachable, so that the report still reaches its deadline. Rejects only with the reason of `signal`.
 */
export async function askProof(
  { policy: { proof }, runtime: { clock, logger } }: AskingParts,
  claim: PaymentClaim,
  signal: AbortSignal,
): Promise<VerificationResult> {
  const { reference } = claim.order
  try {
    const verdict = await withDeadline<VerificationResult>(
      { clock, deadlineMs: ANSWER_MS },
      (late) => proof.verify(claim, { signal: AbortSignal.any([signal, late]) }),
      () => unreachable(`verifyOnChain did not return within ${ANSWER_MS} ms`),
    )
    if (isVerdict(verdict)) return verdict
    logger.error('verifyOnChain returned an invalid verdict', { reference })
    return unreachable('verifyOnChain returned an invalid verdict')
  } catch (error) {
    signal.throwIfAborted()
    logger.error('verifyOnChain threw', { reference, error: errorFacts(error) })
    return unreachable('verifyOnChain threw')
  }
}

/** Returns an order that the reported payment fits: the report is proven, whatever order it names. */
export function fittingOrder({ reference, rawAmount, asset, recipientAddr }: TransferData): Order {
  const known = unlessInvalid(() => canonicalAsset(asset)) ?? NATIVE_ASSET
  const price = parseBaseUnits(rawAmount) ?? 0n
  return { reference, rawAmount: price, asset: known, recipient: recipientAddr, status: 'pending' }
}

function unreachable(detail: string): VerificationResult {
  return { kind: 'pending', reason: 'unreachable', detail }
}

/** JavaScript callers may return anything. A payment without credits could pay any number of orders. */
function isVerdict(verdict: VerificationResult): boolean {
  if (verdict?.kind === 'contradicted' || verdict?.kind === 'pending') {
    return typeof verdict.reason === 'string' && typeof verdict.detail === 'string'
  }
  if (verdict?.kind !== 'verified' || !isFilled(verdict.payments)) return false
  return verdict.payments.every(
    (payment) =>
      typeof payment?.message === 'string' &&
      typeof payment.amount === 'bigint' &&
      isFilled(payment.credits) &&
      payment.credits.every((credit) => typeof credit === 'string' && credit !== '') &&
      Array.isArray(payment.transactions) &&
      payment.transactions.every((hash) => typeof hash === 'string'),
  )
}

function isFilled(list: readonly unknown[]): boolean {
  return Array.isArray(list) && list.length > 0
}
