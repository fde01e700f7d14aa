import type { Payments } from '@tonplug/core'
import { createOperator } from '@tonplug/core/operator'
import type { V3Client } from '@tonplug/core/toncenter'
import type { SignedRefund } from './shop-wallet.js'

/** The tools of an operator. */
interface Tools {
  payments: Payments
  v3: V3Client
}

const NOTE = { by: 'operator' }

/** Assigns a payment to an order. @returns the kind of the decision */
export async function assign(
  { payments }: Tools,
  assignment: { transactionHash: string; reference: string; merchant: string },
): Promise<string> {
  const { decision } = await createOperator({ payments }).assign(assignment, NOTE)
  return decision?.kind ?? 'stored'
}

/** Accepts the money that has arrived for an order. @returns the kind of the decision, or the state */
export async function accept(
  { payments }: Tools,
  order: { reference: string; merchant: string },
): Promise<string> {
  const note = { ...NOTE, reason: 'the buyer sent what was left' }
  const result = await createOperator({ payments }).accept(order, note)
  return result.state === 'decided' ? result.decision.kind : result.state
}

/** Asks for the refund of a payment. @returns the state, and the message to sign if this call alone has received it */
export async function refund(
  { payments, v3 }: Tools,
  payment: { transactionHash: string; merchant: string; anyJetton: boolean },
): Promise<{ state: string; signed?: SignedRefund }> {
  const refund = await createOperator({ payments, v3 }).refund(payment, NOTE)
  if (refund.state !== 'proposed') return { state: refund.state }
  const { validUntil, messages, from } = refund.request
  const [message] = messages
  if (message === undefined) throw new RangeError('a refund has a message')
  const signed = { from, validUntil, ...message, amount: BigInt(message.amount) }
  return { state: refund.state, signed }
}

/** Applies the rules again to the reports of an order. @returns how many */
export function reprocess(
  { payments }: Tools,
  order: { reference: string; merchant: string },
): Promise<number> {
  return createOperator({ payments }).reprocess(order, NOTE)
}

/** Runs dead work of the reports of an order again. @returns how much */
export async function retry(
  { payments }: Tools,
  order: { reference: string; merchant: string },
): Promise<number> {
  const operator = createOperator({ payments })
  let count = 0
  for (const { reportId } of await operator.list({ ...order, handlers: 'dead' })) {
    count += await operator.retry({ reportId }, NOTE)
  }
  return count
}
