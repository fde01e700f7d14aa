import * as field from '../../schema/fields.js'
import { saleDetails } from './sale-details.js'
import { transferred } from './jetton.js'
import { stateHash } from './lenient.js'

const contract = {
  address: field.address,
  last_transaction_lt: field.bigint,
  code_hash: stateHash('nft.code_hash'),
  data_hash: stateHash('nft.data_hash'),
}

/** A collection. `next_item_index` is -1 if items have no order. Its creator chose `collection_content`. */
export const nftCollection = field.object({
  ...contract,
  owner_address: field.optional(field.address),
  next_item_index: field.bigint,
  collection_content: field.lenient('nft.collection_content', field.map(field.any)),
})

/**
 * An NFT. `index` has up to 256 bits. While it is on sale, `owner_address` is the sale contract and `real_owner` the
 * seller. Its creator chose `content`. Source: API facts, part 2.3.
 */
export const nftItem = field.object({
  ...contract,
  init: field.bool,
  index: field.bigint,
  collection_address: field.optional(field.address),
  owner_address: field.optional(field.address),
  content: field.lenient('nft.content', field.map(field.any)),
  collection: field.lenient('nft.collection', nftCollection),
  on_sale: field.optional(field.bool),
  sale_contract_address: field.optional(field.address),
  auction_contract_address: field.optional(field.address),
  real_owner: field.optional(field.address),
})

/** A transfer of an NFT; failed transfers are included. `forward_amount` is in nanocoins. */
export const nftTransfer = field.object({
  ...transferred,
  nft_address: field.address,
  /** Empty or absent for an NFT without a collection. */
  nft_collection: field.optional(field.address),
  old_owner: field.optional(field.address),
  new_owner: field.optional(field.address),
  forward_amount: field.optional(field.bigint),
  forward_payload: field.optional(field.bytes),
  decoded_forward_payload: field.optional(field.any),
})

/**
 * A sale contract of an NFT: `type` selects the format of `details`. Numbers, including times, are bigint because the
 * contract's creator chose them.
 */
export const nftSale = field.tagged(
  'nft_sale',
  field.object({
    address: field.address,
    nft_address: field.optional(field.address),
    nft_owner_address: field.optional(field.address),
    marketplace_address: field.optional(field.address),
    /** Unix seconds. */
    created_at: field.optional(field.bigint),
    last_transaction_lt: field.optional(field.bigint),
    code_hash: stateHash('nft.code_hash'),
    data_hash: stateHash('nft.data_hash'),
    nft_item: field.lenient('nft_sale.nft_item', nftItem),
  }),
  { tag: 'type', content: 'details', options: saleDetails },
)
