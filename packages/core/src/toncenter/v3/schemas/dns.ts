import * as field from '../../schema/fields.js'
import { knownTokens } from './address-book.js'
import { nftItem } from './nft.js'

/** A domain with its records. Source: API facts, part 2.3. */
export const dnsRecord = field.object({
  nft_item_address: field.address,
  nft_item_owner: field.optional(field.address),
  domain: field.string,
  dns_next_resolver: field.optional(field.address),
  /** The account for payments to the domain. The owner of the domain can change it at any time. */
  dns_wallet: field.optional(field.address),
  dns_site_adnl: field.optional(field.string),
  dns_storage_bag_id: field.optional(field.string),
})

/** An auction of a domain that is not claimed yet. Times are Unix seconds, bigint because the contract chose them. */
const dnsAuction = field.object({
  nft_item_address: field.address,
  domain: field.string,
  /** The bidder who leads. */
  max_bid_address: field.optional(field.address),
  /** Nanocoins. */
  max_bid_amount: field.optional(field.bigint),
  auction_end_time: field.optional(field.bigint),
  last_fill_up_time: field.optional(field.bigint),
  /** `true` if the auction has ended and the bidder has won. */
  finished: field.optional(field.bool),
  /** With `include_nft_items` only. */
  nft_item: field.lenient('dns_auction.nft_item', nftItem),
})

export const dnsAuctions = field.object({
  auctions: field.presentList(dnsAuction),
  /** Absent or empty on the last page. */
  next_cursor: field.optional(field.string),
  ...knownTokens,
})
