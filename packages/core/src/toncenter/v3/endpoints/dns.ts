import { enumParam, optionalParam } from '../../schema/param.js'
import { addressParam, boolParam, stringParam } from '../../schema/params.js'
import { atLeastOne, atMostOne } from '../../schema/params-object.js'
import { getEndpoint } from '../endpoint.js'
import { limitParam, offsetParam } from '../params.js'

const page = {
  /** Maximum number of rows. @default 100 */
  limit: limitParam(100),
  /** Number of rows to skip. @default 0 */
  offset: offsetParam,
}

/** DNS: records of domains, auctions. */
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
    {
      /** The wallet that the domains resolve to. */
      wallet: optionalParam(addressParam),
      /** The whole domain, for example `example.ton`. */
      domain: optionalParam(stringParam),
      ...page,
    },
    { rules: [atLeastOne('wallet', 'domain')] },
  ),

  /**
   * Returns the auctions of domains in which an account is the leading bidder, those that end first at the beginning.
   * Claimed auctions are missing. `next_cursor` of the response is `after` of the next page. Older servers lack it.
   * @example
   * const { auctions } = await v3.dnsActiveAuctions({ bidder: address, state: 'won' })
   * for (const { domain, max_bid_amount } of auctions) console.log(domain, max_bid_amount)
   */
  dnsActiveAuctions: getEndpoint(
    '/dns/activeAuctions',
    {
      /** The leading bidder. */
      bidder: addressParam,
      /** Open auctions (`bidding`), or ended and unclaimed ones (`won`). @default 'all' */
      state: optionalParam(enumParam('all', 'won', 'bidding')),
      /** Includes the NFT of each domain, as `nft_item`. @default false */
      include_nft_items: optionalParam(boolParam),
      /** `next_cursor` of the page before. */
      after: optionalParam(stringParam),
      ...page,
    },
    { rules: [atMostOne('after', 'offset')] },
  ),
}
