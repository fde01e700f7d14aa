import * as field from '../../../schema/fields.js'
import { address, bigint, bytes, flag, int, string } from '../lenient.js'

const item = { nft_collection: address, nft_item: address, nft_item_index: bigint }

const transfer = field.object({
  ...item,
  ...field.each(
    address,
    'old_owner',
    'new_owner',
    'response_destination',
    'real_old_owner',
    'marketplace_address',
    'payout_address',
    'royalty_address',
  ),
  ...field.each(
    flag,
    'is_purchase',
    'is_encrypted_comment',
    'payout_comment_encrypted',
    'payout_comment_encoded',
  ),
  ...field.each(bigint, 'price', 'query_id', 'forward_amount', 'payout_amount', 'royalty_amount'),
  ...field.each(bytes, 'custom_payload', 'forward_payload'),
  ...field.each(string, 'comment', 'marketplace', 'payout_comment'),
})

const listing = {
  ...item,
  ...field.each(
    address,
    'owner',
    'listing_address',
    'marketplace_address',
    'marketplace_fee_address',
    'royalty_address',
  ),
  marketplace: string,
}

const auctionStart = field.object({
  ...listing,
  auction_address: address,
  ...field.each(
    bigint,
    'marketplace_fee_factor',
    'marketplace_fee_base',
    'royalty_fee_base',
    'max_bid',
    'min_bid',
  ),
})

const ending = {
  ...field.each(address, 'owner', 'nft_item', 'nft_collection', 'marketplace_address'),
  marketplace: string,
}

const auctionEnd = field.object({ ...ending, auction_address: address })

/** Transfers, sales and auctions of NFTs. Prices and bids are in nanocoins; an index has up to 256 bits. */
export const nfts = {
  nft_mint: field.object({ ...item, owner: address }),
  nft_discovery: field.object({ ...item, source: address }),
  ...field.each(transfer, 'nft_transfer', 'nft_purchase'),
  nft_put_on_sale: field.object({
    ...listing,
    sale_address: address,
    ...field.each(bigint, 'full_price', 'marketplace_fee', 'royalty_amount'),
  }),
  nft_update_sale: field.object({
    ...field.each(address, 'source', 'sale_contract', 'nft_address', 'marketplace_address'),
    marketplace: string,
    ...field.each(bigint, 'full_price', 'marketplace_fee', 'royalty_amount'),
  }),
  nft_cancel_sale: field.object({ ...ending, sale_address: address }),
  ...field.each(auctionStart, 'nft_put_on_auction', 'teleitem_start_auction'),
  ...field.each(auctionEnd, 'nft_cancel_auction', 'teleitem_cancel_auction', 'nft_finish_auction'),
  auction_bid: field.object({ ...item, amount: bigint, bidder: address, auction: address }),
  auction_outbid: field.object({
    ...field.each(address, 'auction_address', 'bidder', 'new_bidder', 'nft_item', 'nft_collection'),
    amount: bigint,
    ...field.each(string, 'comment', 'marketplace'),
  }),
}

const change = { source: address, asset: address, nft_collection: address }

/** One of the addresses, selected by `sum_type`. `dns_storage_address` is a string. */
const recordValue = field.object({
  ...field.each(
    string,
    'sum_type',
    'dns_smc_address',
    'dns_adnl_address',
    'dns_text',
    'dns_next_resolver_address',
    'dns_storage_address',
  ),
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
    ...field.each(bigint, 'price', 'query_id', 'payout_amount'),
  }),
  dns_release: field.object({ ...item, query_id: bigint, source: address, value: bigint }),
}
