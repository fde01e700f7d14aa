import * as field from '../../../schema/fields.js'
import { address, bigint, bytes, flag, int, string } from '../lenient.js'

const item = { nft_collection: address, nft_item: address, nft_item_index: bigint }

const transfer = field.object({
  ...item,
  old_owner: address,
  new_owner: address,
  is_purchase: flag,
  price: bigint,
  query_id: bigint,
  response_destination: address,
  custom_payload: bytes,
  forward_payload: bytes,
  forward_amount: bigint,
  comment: string,
  is_encrypted_comment: flag,
  marketplace: string,
  real_old_owner: address,
  marketplace_address: address,
  payout_amount: bigint,
  payout_address: address,
  payout_comment: string,
  payout_comment_encrypted: flag,
  payout_comment_encoded: flag,
  royalty_amount: bigint,
  royalty_address: address,
})

const listing = {
  ...item,
  owner: address,
  listing_address: address,
  marketplace_address: address,
  marketplace_fee_address: address,
  royalty_address: address,
  marketplace: string,
}

const auctionStart = field.object({
  ...listing,
  auction_address: address,
  marketplace_fee_factor: bigint,
  marketplace_fee_base: bigint,
  royalty_fee_base: bigint,
  max_bid: bigint,
  min_bid: bigint,
})

const ending = {
  owner: address,
  nft_item: address,
  nft_collection: address,
  marketplace_address: address,
  marketplace: string,
}

const auctionEnd = field.object({ ...ending, auction_address: address })

/** Transfers, sales and auctions of NFTs. Prices and bids are in nanocoins; an index has up to 256 bits. */
export const nfts = {
  nft_mint: field.object({ ...item, owner: address }),
  nft_discovery: field.object({ ...item, source: address }),
  nft_transfer: transfer,
  nft_purchase: transfer,
  nft_put_on_sale: field.object({
    ...listing,
    sale_address: address,
    full_price: bigint,
    marketplace_fee: bigint,
    royalty_amount: bigint,
  }),
  nft_update_sale: field.object({
    source: address,
    sale_contract: address,
    nft_address: address,
    marketplace_address: address,
    marketplace: string,
    full_price: bigint,
    marketplace_fee: bigint,
    royalty_amount: bigint,
  }),
  nft_cancel_sale: field.object({ ...ending, sale_address: address }),
  nft_put_on_auction: auctionStart,
  teleitem_start_auction: auctionStart,
  nft_cancel_auction: auctionEnd,
  teleitem_cancel_auction: auctionEnd,
  nft_finish_auction: auctionEnd,
  auction_bid: field.object({ ...item, amount: bigint, bidder: address, auction: address }),
  auction_outbid: field.object({
    auction_address: address,
    bidder: address,
    new_bidder: address,
    nft_item: address,
    nft_collection: address,
    amount: bigint,
    comment: string,
    marketplace: string,
  }),
}

const change = { source: address, asset: address, nft_collection: address }

/** One of the addresses, selected by `sum_type`. `dns_storage_address` is a string. */
const recordValue = field.object({
  sum_type: string,
  dns_smc_address: string,
  dns_adnl_address: string,
  dns_text: string,
  dns_next_resolver_address: string,
  dns_storage_address: string,
  flags: int,
})

/** Changes of domains: `asset` is the domain's NFT. Prices are in nanocoins. */
export const dns = {
  change_dns: field.object({ ...change, key: string, value: field.optional(recordValue) }),
  /** The key of the record that was deleted is in `hash`. */
  delete_dns: field.object({ ...change, hash: string }),
  renew_dns: field.object(change),
  dns_purchase: field.object({
    ...item,
    new_owner: address,
    price: bigint,
    query_id: bigint,
    payout_amount: bigint,
  }),
  dns_release: field.object({ ...item, query_id: bigint, source: address, value: bigint }),
}
