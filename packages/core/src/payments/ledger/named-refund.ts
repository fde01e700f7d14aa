import { readBody, readComment, readJettonTransfer } from '../../toncenter/chain/message-body.js'
import type { Transaction } from '../../toncenter/v3/schemas/transaction.js'

/** A transfer with the comment of a refund. */
export interface NamedRefund {
  /** The transaction of the returned payment, lower-case hex. */
  txHash: string
  rawAmount: bigint
}

const REFUND_COMMENT = /^refund ([0-9a-f]{64})$/

/** Returns the refund that a comment names, if any. */
export function namedRefund(comment: string | undefined, rawAmount: bigint): NamedRefund[] {
  const txHash = REFUND_COMMENT.exec(comment ?? '')?.[1]
  return txHash === undefined ? [] : [{ txHash, rawAmount }]
}

/**
 * Returns the refunds that a wallet sends in a transaction of its own, in either kind of asset, whether the transfers arrive or
 * not.
 * @returns `undefined` when the index does not return the body of a message.
 */
export function sentRefunds({
  out_msgs,
}: Pick<Transaction, 'out_msgs'>): NamedRefund[] | undefined {
  const found: NamedRefund[] = []
  for (const { bounced, value = 0n, message_content: content } of out_msgs) {
    if (bounced === true) continue
    if (content?.body === undefined) return undefined
    const body = readBody(content.body)
    if (body === undefined) continue
    const transfer = readJettonTransfer(body)
    const { comment } = transfer ?? readComment(body)
    found.push(...namedRefund(comment, transfer?.amount ?? value))
  }
  return found
}
