import * as field from '../../schema/fields.js'
import { saleDetails } from './sale-details.js'
import { transferred } from './jetton.js'
import { stateHash } from './lenient.js'

const contract = {
  /** Raw, in upper case. */
  address: field.address,
  /** The logical time of its last transaction. */
  last_transaction_lt: field.bigint,
  /** The hash of its code. */
  code_hash: stateHash('nft.code_hash'),
  /** The hash of its data. */
  data_hash: stateHash('nft.data_hash'),
}

/** A collection. `next_item_index` is -1 if items have no order. Its creator chose `collection_content`. */
export const nftCollection = field.object({
  ...contract,
  owner_address: field.optional(field.address),
  /** The index of the next item; -1 if items have no order. */
  next_item_index: field.bigint,
  /** Metadata, as its creator chose. */
  collection_content: field.lenient('nft.collection_content', field.map(field.any)),
})

/**
 * An NFT. `index` has up to 256 bits. While it is on sale, `owner_address` is the sale contract and `real_owner` the
 * seller. Its creator chose `content`. Source: API facts, part 2.3.
 */
export const nftItem = field.object({
  ...contract,
  /** `true` if it is initialized. */
  init: field.bool,
  /** The index in its collection; up to 256 bits. */
  index: field.bigint,
  /** Absent for an NFT without a collection. */
  collection_address: field.optional(field.address),
  /** The owner; the sale contract while it is on sale. */
  owner_address: field.optional(field.address),
  /** Metadata, as its creator chose. */
  content: field.lenient('nft.content', field.map(field.any)),
  /** The collection, if the server knows it. */
  collection: field.lenient('nft.collection', nftCollection),
  /** `true` if it is on sale. */
  on_sale: field.optional(field.bool),
  /** The contract that sells it. */
  sale_contract_address: field.optional(field.address),
  /** The contract that auctions it. */
  auction_contract_address: field.optional(field.address),
  /** The seller while it is on sale; otherwise the owner. */
  real_owner: field.optional(field.address),
})

/** A transfer of an NFT; failed transfers are included. `forward_amount` is in nanocoins. */
export const nftTransfer = field.object({
  ...transferred,
  /** The NFT. */
  nft_address: field.address,
  /** Empty or absent for an NFT without a collection. */
  nft_collection: field.optional(field.address),
  /** The owner before. */
  old_owner: field.optional(field.address),
  /** The owner after. */
  new_owner: field.optional(field.address),
  /** Nanocoins that are forwarded to the new owner. */
  forward_amount: field.optional(field.bigint),
  /** Payload for the new owner: a bag of cells in base64. */
  forward_payload: field.optional(field.bytes),
  /** Decoded by the server; any JSON. */
  decoded_forward_payload: field.optional(field.any),
})

/**
 * A sale contract of an NFT: `type` selects the format of `details`, and is `unreadable` if they are missing or malformed.
 * Numbers, including times, are bigint because the contract's creator chose them.
 */
export const nftSale = field.tagged(
  'nft_sale',
  field.object({
    /** Raw, in upper case. */
    address: field.address,
    /** The NFT. */
    nft_address: field.optional(field.address),
    /** The seller. */
    nft_owner_address: field.optional(field.address),
    /** The marketplace of the sale. */
    marketplace_address: field.optional(field.address),
    /** Unix seconds. */
    created_at: field.optional(field.bigint),
    /** The logical time of its last transaction. */
    last_transaction_lt: field.optional(field.bigint),
    /** The hash of its code. */
    code_hash: stateHash('nft.code_hash'),
    /** The hash of its data. */
    data_hash: stateHash('nft.data_hash'),
    /** The NFT, if the server knows it. */
    nft_item: field.lenient('nft_sale.nft_item', nftItem),
  }),
  saleDetails,
)
