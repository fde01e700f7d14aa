import { readBody, readComment } from '../../../toncenter/chain/message-body.js'
import type { Transaction } from '../../../toncenter/v3/schemas/transaction.js'
import { namedRefund, type NamedRefund } from '../../ledger/named-refund.js'
import type { Movement } from './movement.js'

type Message = Transaction['out_msgs'][number]

/**
 * Returns the effect of a transaction on the native coins of its account. The fees of a transaction include only the part
 * of a message's fee that is due at the sender; the message carries the rest.
 */
export function nativeMovement({ in_msg, out_msgs, total_fees }: Transaction): Movement {
  const arrived = (in_msg?.value ?? 0n) + (in_msg?.ihr_fee ?? 0n)
  const isReturned = in_msg?.bounced === true
  const sentBack = sumOf(out_msgs.filter(({ bounced }) => bounced === true))
  const forwarding = out_msgs.reduce(
    (sum, { fwd_fee = 0n, ihr_fee = 0n }) => sum + fwd_fee + ihr_fee,
    0n,
  )
  return {
    received: (isReturned ? 0n : arrived) - sentBack,
    returned: isReturned ? arrived : 0n,
    sent: sumOf(out_msgs) - sentBack,
    fees: total_fees + forwarding,
    refunds: out_msgs.flatMap(refundOf),
  }
}

function sumOf(messages: readonly Message[]): bigint {
  return messages.reduce((sum, { value = 0n }) => sum + value, 0n)
}

function refundOf({ bounced, value = 0n, message_content: content }: Message): NamedRefund[] {
  const body = bounced === true ? undefined : readBody(content?.body)
  return body === undefined ? [] : namedRefund(readComment(body).comment, value)
}
