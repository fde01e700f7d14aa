import type { VerificationResult, VerifiedPayment } from '../../ledger/payment-verifier.js'
import { contradicted, type Unproven } from '../../orders/unproven.js'
import type { Credit } from '../../ledger/credit.js'
import type { ShownCredit } from './credit-witness.js'

/** A proven payment with the credits that a second source compares. */
export interface ShownPayment extends VerifiedPayment {
  claims: readonly ShownCredit[]
  /** The credits without what no second source compares. */
  comparedCredits: readonly Credit[]
}

/** Verdict of one source. */
export type ShownResult =
  { kind: 'verified'; payments: readonly [ShownPayment, ...ShownPayment[]] } | Unproven

/** Looks a payment up in one source. @param shown the answer of the first source that had one */
export type SourceLook = (shown: ShownResult | undefined) => Promise<ShownResult>

type Settled = Exclude<ShownResult, { kind: 'pending' }>

/**
 * Asks sources, one after the other, until enough of them show the same. Sources that differ are a contradiction, and the
 * detail has both answers. While too few have answered, the payment stays pending.
 */
export async function agree(
  looks: readonly SourceLook[],
  required: number,
): Promise<VerificationResult> {
  let answer: { settled: Settled; source: number } | undefined
  let pending: VerificationResult | undefined
  let agreed = 0
  for (const [index, look] of looks.entries()) {
    if (agreed === required || agreed + looks.length - index < required) break
    const shown = await look(answer?.settled)
    if (shown.kind === 'pending') {
      pending ??= { ...shown, detail: `source ${index + 1}: ${shown.detail}` }
      continue
    }
    if (answer !== undefined && !isSame(answer.settled, shown)) {
      const answers = [describe(answer.source, answer.settled), describe(index, shown)]
      return contradicted('sources_differ', answers.join('; '))
    }
    answer ??= { settled: shown, source: index }
    agreed++
  }
  if (answer !== undefined && agreed >= required) return withoutClaims(answer.settled, required)
  const detail = `${required} sources must show the payment`
  return pending ?? { kind: 'pending', reason: 'unreachable', detail }
}

function withoutClaims(settled: Settled, required: number): VerificationResult {
  if (settled.kind === 'contradicted') return settled
  const [first, ...more] = settled.payments
  const publish = (payment: ShownPayment): VerifiedPayment => withoutClaim(payment, required)
  return { kind: 'verified', payments: [publish(first), ...more.map(publish)] }
}

function withoutClaim(shown: ShownPayment, required: number): VerifiedPayment {
  const { claims: _, comparedCredits, ...payment } = shown
  // One source could lie about the rest, and name another order.
  return required > 1 ? { ...payment, ledgerCredits: comparedCredits } : payment
}

function isSame(one: Settled, other: Settled): boolean {
  return contentOf(one) === contentOf(other)
}

function contentOf(settled: Settled): string {
  if (settled.kind === 'contradicted') return settled.reason
  // The claims have all that is compared of the credits.
  const rest = { ledgerCredits: undefined, comparedCredits: undefined }
  return toText(settled.payments.map((payment) => ({ ...payment, ...rest })))
}

function describe(index: number, settled: Settled): string {
  const name = `source ${index + 1}`
  if (settled.kind === 'contradicted') return `${name}: ${settled.reason}, ${settled.detail}`
  const claims = settled.payments.flatMap((payment) => payment.claims)
  return `${name}: ${claims.map(describeClaim).join(', ')}`
}

function describeClaim({ account, asset, rawAmount, route }: ShownCredit): string {
  const { hash, lt } = route.at(-1)?.transaction ?? {}
  return `${rawAmount} of ${asset} from ${route[0].sender} to ${account} in ${hash}, lt ${lt}`
}

function toText(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? `${one}n` : one))
}
