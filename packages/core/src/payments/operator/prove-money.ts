import type { VerificationResult, VerifiedPayment } from '../ledger/payment-verifier.js'
import { contradicted } from '../orders/unproven.js'
import { askProof, fittingOrder } from '../engine/ask-proof.js'
import { createPaymentVerifier } from '../watcher/proof/payment-verifier.js'
import type { OperatorContext, OperatorReader } from './context.js'
import type { ReportedMoney } from './reported-money.js'

/**
 * Proves that reported money arrived: by the index, which proves its accounts again, and by the proof of the shop where it has one.
 * A report may be untrue where webhooks are not proven, and the chain decides who paid, how much, and to whom.
 */
export async function proveMoney(
  { engine, v3 }: Pick<OperatorContext, 'engine'> & { v3: OperatorReader },
  { transfer }: ReportedMoney,
): Promise<VerificationResult> {
  if (transfer.senderAddr === '') {
    return contradicted('other_sender', 'the report does not name the payer')
  }
  const claim = { transfer, order: fittingOrder(transfer) }
  const { signal } = new AbortController()
  const shown = await createPaymentVerifier({ v3 }).verify(claim, { signal })
  const { proof, clock, logger } = engine
  if (shown.kind !== 'verified' || proof === undefined) return shown
  const own = await askProof({ policy: { proof }, runtime: { clock, logger } }, claim, signal)
  if (own.kind !== 'verified') return own
  const [first, ...more] = shown.payments.filter((one) =>
    own.payments.some((other) => isSamePayment(one, other)),
  )
  if (first !== undefined) return { kind: 'verified', payments: [first, ...more] }
  return contradicted('sources_differ', 'the proof of the shop shows another payment than API v3')
}

function isSamePayment(one: VerifiedPayment, other: VerifiedPayment): boolean {
  const isSame =
    one.message === other.message || one.credits.some((id) => other.credits.includes(id))
  return isSame && one.amount === other.amount
}
