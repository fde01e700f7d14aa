import { Address, beginCell, comment, internal, type Cell, type MessageRelaxed } from '@ton/core'
import type { Payout } from './payout.js'

/** Opcode of `transfer`, sent by an owner to its jetton wallet. Source: TEP-74. */
const JETTON_TRANSFER = 0x0f8a7ea5
/** Nanocoins for the fees of a jetton transfer that deploys the recipient's wallet; the rest is returned. */
const JETTON_FEES = 100_000_000n
/** Nanocoins for the notification of the recipient. */
const NOTIFICATION_COINS = 1n

/** Returns the message that pays native coin. */
export function nativeMessage({ to, amount, comment: text }: Payout): MessageRelaxed {
  return internal({
    to: Address.parse(to),
    value: amount,
    // A bounced payment returns. An account without a contract keeps only non-bounceable payments.
    bounce: isBounceable(to),
    body: text,
  })
}

/**
 * Returns the message that pays jettons. Its query id is the payout's id.
 * @param wallet the paying wallet, which receives the unused fees
 * @param jettonWallet the jetton wallet of the paying wallet
 */
export function jettonMessage(
  { id, to, amount, comment: text }: Payout,
  wallet: Address,
  jettonWallet: Address,
): MessageRelaxed {
  const body = beginCell()
    .storeUint(JETTON_TRANSFER, 32)
    .storeUint(id, 64)
    .storeCoins(amount)
    .storeAddress(Address.parse(to))
    .storeAddress(wallet)
    .storeMaybeRef(null)
    .storeCoins(NOTIFICATION_COINS)
    .storeMaybeRef(commentCell(text))
    .endCell()
  return internal({ to: jettonWallet, value: JETTON_FEES, bounce: true, body })
}

function commentCell(text: string | undefined): Cell | null {
  return text === undefined ? null : comment(text)
}

function isBounceable(address: string): boolean {
  return Address.isFriendly(address) && Address.parseFriendly(address).isBounceable
}
