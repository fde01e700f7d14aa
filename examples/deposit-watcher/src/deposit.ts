/** Coins that arrived at a deposit address and stay there. */
export interface Deposit {
  /** The transaction that received the coins. With `messageHash`, it identifies the deposit. */
  txHash: string
  /** The message that carried the coins. */
  messageHash: string
  /** The deposit address in canonical form. */
  address: string
  /** `TON`, or the jetton's master in canonical form. */
  asset: string
  /** In base units. */
  amount: bigint
  /** The sender's address in canonical form. */
  sender: string
  /** The time of arrival. */
  at: Date
}

/** The deposits of one page of rows. */
export interface PageOfDeposits {
  deposits: Deposit[]
  /** True if some transfers are still in transit: the page must be read again. */
  isIncomplete: boolean
}
