import { optionalParam } from '../../schema/param.js'
import { addressParam, stringParam } from '../../schema/params.js'
import { atLeastOne, paramsObject } from '../../schema/params-object.js'
import { getEndpoint } from '../endpoint.js'
import { limitParam, offsetParam } from '../params.js'

const DEFAULT_LIMIT = 100

/** DNS records of domains. */
export const dns = {
  /**
   * Returns DNS records by domain or by wallet.
   * The owner of a domain can change its records at any time: resolve it again before each payment.
   * @example
   * const [record] = (await v3.dnsRecords({ domain: 'example.ton' })).records
   * console.log(record?.dns_wallet)
   */
  dnsRecords: getEndpoint(
    '/dns/records',
    paramsObject(
      {
        /** The wallet that the domains resolve to. */
        wallet: optionalParam(addressParam),
        /** The whole domain, for example `example.ton`. */
        domain: optionalParam(stringParam),
        /** Maximum number of rows. @default 100 */
        limit: limitParam(DEFAULT_LIMIT),
        /** Number of rows to skip. @default 0 */
        offset: offsetParam,
      },
      atLeastOne('wallet', 'domain'),
    ),
  ),
}
