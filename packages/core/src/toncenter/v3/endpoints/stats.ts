import { getEndpoint } from '../endpoint.js'
import { page } from '../params.js'

/** Statistics. */
export const stats = {
  /**
   * Returns the accounts with the highest balances, in nanocoins, highest first.
   * @example
   * const [richest] = await v3.topAccountsByBalance({ limit: 1 })
   * console.log(richest?.account, richest?.balance)
   */
  topAccountsByBalance: getEndpoint('/topAccountsByBalance', page),
}
