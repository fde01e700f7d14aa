/** Coins that arrived at a deposit address and stay there. */
export interface Deposit {
  /** The transaction that received them, and the message that brought them: together they are the deposit's identity. */
  txHash: string
  messageHash: string
  /** The deposit address, canonical. */
  address: string
  /** `TON`, or the jetton's master, canonical. */
  asset: string
  /** In base units. */
  amount: bigint
  /** Who sent them, canonical. */
  sender: string
  /** When they arrived. */
  at: Date
}

/** What was made of a page of rows. */
export interface PageOfDeposits {
  deposits: Deposit[]
  /** Whether some of its coins are still on their way: the page has to be read again. */
  isUnderWay: boolean
}
