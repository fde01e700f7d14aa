import type { Payments } from '@tonplug/core'
import { createOperator } from '@tonplug/core/operator'
import type { V3Client } from '@tonplug/core/toncenter'

/** A message that an operator has to sign. */
export interface SignedRefund {
  validUntil: number
  amount: bigint
  payload: string
}

/** The tools of an operator. */
interface Tools {
  payments: Payments
  v3: V3Client
}

const NOTE = { by: 'operator' }

/** Assigns a payment to an order. @returns the kind of the decision */
export async function assign(
  { payments }: Tools,
  { transactionHash, reference }: { transactionHash: string; reference: string },
): Promise<string> {
  const operator = createOperator({ payments })
  const { decision } = await operator.assign({ transactionHash, reference }, NOTE)
  return decision?.kind ?? 'stored'
}

/** Asks for the refund of a payment. @returns the state, and the message to sign if this call alone has received it */
export async function refund(
  { payments, v3 }: Tools,
  transactionHash: string,
): Promise<{ state: string; signed?: SignedRefund }> {
  const refund = await createOperator({ payments, v3 }).refund({ transactionHash }, NOTE)
  if (refund.state !== 'proposed') return { state: refund.state }
  const { validUntil, messages } = refund.request
  const [message] = messages
  if (message === undefined) throw new RangeError('a refund has a message')
  const { amount, payload } = message
  return { state: refund.state, signed: { validUntil, amount: BigInt(amount), payload } }
}

/** Applies the rules again to the reports of an order. @returns how many */
export function reprocess({ payments }: Tools, reference: string): Promise<number> {
  return createOperator({ payments }).reprocess({ reference }, NOTE)
}
