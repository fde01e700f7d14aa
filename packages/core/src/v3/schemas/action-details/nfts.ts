import { objectField } from '../../../schema/fields.js'
import { address, bigint, bytes, flag, text } from './words.js'

const item = { nft_collection: address, nft_item: address, nft_item_index: bigint }

const transfer = objectField({
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
  comment: text,
  is_encrypted_comment: flag,
  marketplace: text,
  real_old_owner: address,
  marketplace_address: address,
  payout_amount: bigint,
  payout_address: address,
  payout_comment: text,
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
  marketplace: text,
}

const auctionStart = objectField({
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
  marketplace: text,
}

const auctionEnd = objectField({ ...ending, auction_address: address })

/** Transfers, sales and auctions of NFTs. Prices and bids are in nanocoins; an index has up to 256 bits. */
export const nfts = {
  nft_mint: objectField({ ...item, owner: address }),
  nft_discovery: objectField({ ...item, source: address }),
  nft_transfer: transfer,
  nft_purchase: transfer,
  nft_put_on_sale: objectField({
    ...listing,
    sale_address: address,
    full_price: bigint,
    marketplace_fee: bigint,
    royalty_amount: bigint,
  }),
  nft_update_sale: objectField({
    source: address,
    sale_contract: address,
    nft_address: address,
    marketplace_address: address,
    marketplace: text,
    full_price: bigint,
    marketplace_fee: bigint,
    royalty_amount: bigint,
  }),
  nft_cancel_sale: objectField({ ...ending, sale_address: address }),
  nft_put_on_auction: auctionStart,
  teleitem_start_auction: auctionStart,
  nft_cancel_auction: auctionEnd,
  teleitem_cancel_auction: auctionEnd,
  nft_finish_auction: auctionEnd,
  auction_bid: objectField({ ...item, amount: bigint, bidder: address, auction: address }),
  auction_outbid: objectField({
    auction_address: address,
    bidder: address,
    new_bidder: address,
    nft_item: address,
    nft_collection: address,
    amount: bigint,
    comment: text,
    marketplace: text,
  }),
}
