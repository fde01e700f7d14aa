import type { Cell } from '../../shared/cells/cell.js'
import { encodeBoc } from '../../toncenter/chain/cells/write-boc.js'
import { jettonTransferBody } from '../../toncenter/chain/write-body.js'
import { friendlyAddress } from '../../shared/address.js'
import type { PayerMessage } from '../../shared/ton-connect-request.js'

/** A payment of any payer. */
export interface RequestedPayment {
  /** Friendly. */
  recipient: string
  rawAmount: bigint
  /** The body of the comment. */
  comment: Cell
  /** True on a test network. */
  isTestOnly: boolean
  /** Receives the coins that a jetton transfer leaves over, in any format. */
  responseDestination?: string | undefined
}

/** A payment of one payer. */
interface SentPayment extends RequestedPayment {
  /** Canonical. */
  sender: string
  /** The sender's wallet for the jetton, canonical; absent for the native coin. */
  jettonWallet: string | undefined
}

/** Nanocoins of a jetton transfer for its fees. The rest returns to the payer. */
export const JETTON_FEES = 100_000_000n
/** Nanocoins for the recipient. Without any, the recipient receives no notification. */
const FORWARD_AMOUNT = 1n

/** Returns the message that the payer's wallet must send. */
export function paymentMessage(payment: SentPayment): PayerMessage {
  const { sender, recipient, jettonWallet, rawAmount, comment, isTestOnly } = payment
  const { responseDestination = sender } = payment
  if (jettonWallet === undefined) {
    return { address: recipient, amount: `${rawAmount}`, payload: encodeBoc(comment) }
  }
  const body = jettonTransferBody({
    amount: rawAmount,
    recipient,
    response: responseDestination,
    forwardAmount: FORWARD_AMOUNT,
    forwardPayload: comment,
  })
  return {
    address: friendlyAddress(jettonWallet, { isBounceable: true, isTestOnly }),
    amount: `${JETTON_FEES}`,
    payload: encodeBoc(body),
  }
}
