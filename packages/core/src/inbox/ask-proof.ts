import type { PaymentClaim, PaymentProof } from '../proof/payment-proof.js'
import type { ProofVerdict } from '../proof/verdict.js'
import type { Clock } from '../runtime/clock.js'
import { errorFacts } from '../runtime/error-facts.js'
import type { Logger } from '../runtime/logger.js'
import { withDeadline } from '../webhook/deadline.js'

/** Longer than the two requests of one look may take. */
const ANSWER_MS = 130_000

interface AskOptions {
  proof: PaymentProof
  clock: Clock
  logger: Logger
}

/**
 * What a proof says, which may be the shop's own: one that throws, hangs, or answers something else must not keep the
 * delivery from its deadline. Rejects only with the reason of `signal`.
 */
export async function askProof(
  { proof, clock, logger }: AskOptions,
  claim: PaymentClaim,
  signal: AbortSignal,
): Promise<ProofVerdict> {
  const { reference } = claim.order
  try {
    const verdict = await withDeadline<ProofVerdict>(
      { clock, deadlineMs: ANSWER_MS },
      (late) => proof.prove(claim, { signal: AbortSignal.any([signal, late]) }),
      () => unreachable(`verifyOnChain did not answer within ${ANSWER_MS} ms`),
    )
    if (isVerdict(verdict)) return verdict
    logger.error('verifyOnChain answered what is no verdict', { reference })
    return unreachable('verifyOnChain answered what is no verdict')
  } catch (error) {
    signal.throwIfAborted()
    logger.error('verifyOnChain threw', { reference, error: errorFacts(error) })
    return unreachable('verifyOnChain threw')
  }
}

function unreachable(detail: string): ProofVerdict {
  return { kind: 'unsettled', reason: 'unreachable', detail }
}

/** Types do not hold callers in JavaScript. A payment whose money nothing tells could pay any number of orders. */
function isVerdict(verdict: ProofVerdict): boolean {
  if (verdict?.kind === 'refuted' || verdict?.kind === 'unsettled') {
    return typeof verdict.reason === 'string' && typeof verdict.detail === 'string'
  }
  if (verdict?.kind !== 'proven' || !isFilled(verdict.payments)) return false
  return verdict.payments.every(
    (payment) =>
      typeof payment?.message === 'string' &&
      typeof payment.amount === 'bigint' &&
      isFilled(payment.credits) &&
      payment.credits.every((credit) => typeof credit === 'string' && credit !== ''),
  )
}

function isFilled(list: readonly unknown[]): boolean {
  return Array.isArray(list) && list.length > 0
}
