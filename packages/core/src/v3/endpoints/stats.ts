import { paramsObject } from '../../schema/params-object.js'
import { getEndpoint } from '../endpoint.js'
import { page } from '../list-params.js'

/** Stats: the richest accounts. */
export const stats = {
  /**
   * The accounts with the most nanocoins, the richest first.
   * @example
   * const [richest] = await v3.topAccountsByBalance({ limit: 1 })
   * console.log(richest?.account, richest?.balance)
   */
  topAccountsByBalance: getEndpoint('/topAccountsByBalance', {
    params: paramsObject(page),
  }),
}
