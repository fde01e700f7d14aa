import {
  readBody,
  readJettonBurn,
  readJettonInternalTransfer,
  readJettonTransfer,
  readReturnedJettons,
} from '../../../toncenter/chain/message-body.js'
import { opcodeOf } from '../../../toncenter/chain/trace-messages.js'
import type { Transaction } from '../../../toncenter/v3/schemas/transaction.js'
import { namedRefund } from '../../ledger/named-refund.js'
import { NO_MOVEMENT, type Movement } from './movement.js'

/** Returns the effect of a transaction of a jetton wallet on its jettons. A failed one has none. */
export function jettonMovement(transaction: Transaction): Movement {
  const { in_msg: message, description } = transaction
  const isDone = description.aborted !== true && description.compute_ph?.success === true
  if (!isDone || message === undefined) return NO_MOVEMENT
  const body = readBody(message.message_content?.body)
  if (body !== undefined) {
    const arrived = readJettonInternalTransfer(body)
    if (arrived !== undefined) return { ...NO_MOVEMENT, received: arrived.amount }
    const returned = readReturnedJettons(body)
    if (returned !== undefined) return { ...NO_MOVEMENT, returned: returned.amount }
    const sent = readJettonTransfer(body)
    if (sent !== undefined) {
      const { amount, comment } = sent
      return { ...NO_MOVEMENT, sent: amount, refunds: namedRefund(comment, amount) }
    }
    const burned = readJettonBurn(body)
    if (burned !== undefined) return { ...NO_MOVEMENT, sent: burned.amount }
  }
  if (!hasNewData(transaction)) return NO_MOVEMENT
  return { ...NO_MOVEMENT, unknownOpcode: opcodeOf(message, body) ?? 'none' }
}

/** Returns false when the balance, which is part of the data, is certainly the same. */
function hasNewData({
  account_state_before: before,
  account_state_after: after,
}: Transaction): boolean {
  return before?.data_hash === undefined || before.data_hash !== after?.data_hash
}
