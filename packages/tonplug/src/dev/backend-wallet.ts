/** A wallet and its balances. */
export interface BackendWallet {
  name: string
  address: string
  /** Whole coins, in decimal digits. */
  balances: { ticker: string; amount: string }[]
}
