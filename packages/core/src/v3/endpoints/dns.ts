import { optionalParam } from '../../schema/param.js'
import { addressParam, textParam } from '../../schema/params.js'
import { atLeastOne, paramsObject } from '../../schema/params-object.js'
import { getEndpoint } from '../endpoint.js'
import { limitParam, offsetParam } from '../params.js'

const DEFAULT_LIMIT = 100

/** DNS: domains and what they stand for. */
export const dns = {
  /**
   * What domains stand for, by domain or by wallet.
   * Whoever owns a domain can change its records at any time: resolve it anew before each payment.
   * @example
   * const [record] = (await v3.dnsRecords({ domain: 'example.ton' })).records
   * console.log(record?.dns_wallet)
   */
  dnsRecords: getEndpoint('/dns/records', {
    params: paramsObject(
      {
        /** The wallet that the domains stand for. */
        wallet: optionalParam(addressParam),
        /** The whole domain, as in `example.ton`. */
        domain: optionalParam(textParam),
        /** How many at most. @default 100 */
        limit: limitParam(DEFAULT_LIMIT),
        /** How many to skip. @default 0 */
        offset: offsetParam,
      },
      atLeastOne('wallet', 'domain'),
    ),
  }),
}
