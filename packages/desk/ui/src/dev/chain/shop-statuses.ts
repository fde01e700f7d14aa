import type { Tone } from '../../text/decisions.js'
import type { OpenOrder } from '../state.js'

/** A status of an order for display. */
interface DescribedStatus {
  name: string
  tone: Tone
  text: string
}

const STATUSES: Record<string, DescribedStatus> = {
  waiting: { name: 'waiting', tone: 'wait', text: 'The shop has found no payment of this order.' },
  detected: { name: 'detected', tone: 'wait', text: 'The shop verifies a payment.' },
  partially_paid: {
    name: 'partially paid',
    tone: 'wait',
    text: 'The shop has received less than the price.',
  },
  needs_shop: {
    name: 'needs the shop',
    tone: 'bad',
    text: 'Money has arrived that does not fit the order. The shop was notified, and decides.',
  },
  expired: { name: 'expired', tone: 'bad', text: 'The order has expired or was cancelled.' },
  paid: { name: 'paid', tone: 'good', text: 'The order is completed.' },
}

/** Describes a status of an order as the shop sends it. */
export function describeStatus({ status, problem }: OpenOrder['shop']): DescribedStatus {
  if (problem !== null) return { name: 'no response', tone: 'bad', text: problem }
  if (status === null)
    return { name: 'unknown', tone: 'plain', text: 'The shop has sent no status.' }
  return STATUSES[status] ?? { name: status, tone: 'plain', text: '' }
}
