import { Address, beginCell, comment, internal, type Cell, type MessageRelaxed } from '@ton/core'
import type { Payout } from './payout.js'

/** An order of a jetton's owner to its own jetton wallet. Source: TEP-74. */
const JETTON_TRANSFER = 0x0f8a7ea5
/** Nanocoins for the fees of a jetton transfer that has to deploy the recipient's wallet; the rest comes back. */
const JETTON_FEES = 100_000_000n
/** Nanocoins for the notice that lets the recipient know. */
const NOTICE_COINS = 1n

/** The message by which a wallet pays native coin. */
export function nativeOrder({ to, amount, comment: text }: Payout): MessageRelaxed {
  return internal({
    to: Address.parse(to),
    value: amount,
    // What bounces has not been lost. An account without a contract keeps only what may not bounce.
    bounce: isBounceable(to),
    body: text,
  })
}

/**
 * The message by which a wallet pays jettons: its query id is the payout's number.
 * @param wallet who pays, and gets back what is left of the fees
 * @param jettonWallet the wallet's own wallet of the jetton
 */
export function jettonOrder(
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
    .storeCoins(NOTICE_COINS)
    .storeMaybeRef(noteOf(text))
    .endCell()
  return internal({ to: jettonWallet, value: JETTON_FEES, bounce: true, body })
}

function noteOf(text: string | undefined): Cell | null {
  return text === undefined ? null : comment(text)
}

function isBounceable(address: string): boolean {
  return Address.isFriendly(address) && Address.parseFriendly(address).isBounceable
}
