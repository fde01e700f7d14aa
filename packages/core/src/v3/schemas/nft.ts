import { mapField, presentListField } from '../../schema/collections.js'
import {
  addressField,
  anyField,
  bigintField,
  boolField,
  bytesField,
  lenientField,
  objectField,
  optionalField,
} from '../../schema/fields.js'
import { taggedField } from '../../schema/tagged.js'
import { knownTokens } from './address-book.js'
import { saleDetails } from './sale-details.js'
import { transferred } from './transferred.js'
import { stateHash } from './lenient.js'

const contract = {
  address: addressField,
  last_transaction_lt: bigintField,
  code_hash: stateHash('nft.code_hash'),
  data_hash: stateHash('nft.data_hash'),
}

/** A collection. `next_item_index` is -1 where items have no order. `collection_content` is what its maker wrote. */
const nftCollection = objectField({
  ...contract,
  owner_address: optionalField(addressField),
  next_item_index: bigintField,
  collection_content: lenientField('nft.collection_content', mapField(anyField)),
})

/**
 * An NFT. `index` has up to 256 bits. While it is on sale, `owner_address` is the sale's contract and `real_owner` the
 * one who sells it. `content` is what its maker wrote. Source: API facts, part 2.3.
 */
const nftItem = objectField({
  ...contract,
  init: boolField,
  index: bigintField,
  collection_address: optionalField(addressField),
  owner_address: optionalField(addressField),
  content: lenientField('nft.content', mapField(anyField)),
  collection: lenientField('nft.collection', nftCollection),
  on_sale: optionalField(boolField),
  sale_contract_address: optionalField(addressField),
  auction_contract_address: optionalField(addressField),
  real_owner: optionalField(addressField),
})

/** A transfer of an NFT; those that failed are among them. `forward_amount` is in nanocoins. */
const nftTransfer = objectField({
  ...transferred,
  nft_address: addressField,
  /** Empty or absent for an NFT without a collection. */
  nft_collection: optionalField(addressField),
  old_owner: optionalField(addressField),
  new_owner: optionalField(addressField),
  forward_amount: optionalField(bigintField),
  forward_payload: optionalField(bytesField),
  decoded_forward_payload: optionalField(anyField),
})

/**
 * A contract that sells an NFT: `type` tells the shape of `details`. Its numbers are bigint, times as well, since
 * whoever made the contract chose them.
 */
const nftSale = taggedField(
  'nft_sale',
  objectField({
    address: addressField,
    nft_address: optionalField(addressField),
    nft_owner_address: optionalField(addressField),
    marketplace_address: optionalField(addressField),
    /** Unix seconds. */
    created_at: optionalField(bigintField),
    last_transaction_lt: optionalField(bigintField),
    code_hash: stateHash('nft.code_hash'),
    data_hash: stateHash('nft.data_hash'),
    nft_item: lenientField('nft_sale.nft_item', nftItem),
  }),
  { tag: 'type', content: 'details', options: saleDetails },
)

/** Collections of a filter. */
export const nftCollections = objectField({
  nft_collections: presentListField(nftCollection),
  ...knownTokens,
})

/** NFTs of a filter. */
export const nftItems = objectField({ nft_items: presentListField(nftItem), ...knownTokens })

/** Transfers of a filter. */
export const nftTransfers = objectField({
  nft_transfers: presentListField(nftTransfer),
  ...knownTokens,
})

/** Sales by the addresses of their contracts. */
export const nftSales = objectField({ nft_sales: presentListField(nftSale), ...knownTokens })
