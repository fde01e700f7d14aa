import * as field from '../../schema/fields.js'

/** A link, or a dictionary of strings. */
const contentData = field.lenient('content.data', field.stringOrObject)

/** Off-chain: `data` is a link. On-chain: `data` is a dictionary of strings. */
const tokenContent = field.object({
  type: field.oneOf('content.type', ['onchain', 'offchain']),
  data: contentData,
})

/** The content of an NFT, or the name and records of a domain. */
const itemContent = field.object({
  type: field.optional(field.oneOf('content.type', ['onchain', 'offchain'])),
  domain: field.optional(field.string),
  data: contentData,
})

/** The account's own address; C++ server only. */
const address = field.optional(field.address)

const walletCode = field.lenient('jetton_wallet_code', field.bytes)

/**
 * Data that a token contract reports. Numbers of the Python server may have any length; a missing owner or administrator
 * is absent. Anyone can write such a contract, so only amounts and indexes must be valid.
 * Source: API facts, part 1.4, 1.6.
 */
export const tokenData = field.variants('', 'contract_type', {
  jetton_master: field.object({
    address,
    /** In base units. */
    total_supply: field.bigint,
    /** `true` if more can be minted. */
    mintable: field.lenient('mintable', field.flag),
    /** Absent if minting is no longer possible. */
    admin_address: field.optional(field.address),
    /** Metadata, as its creator chose. */
    jetton_content: field.lenient('jetton_content', tokenContent),
    /** The code of its wallets, a bag of cells in base64. */
    jetton_wallet_code: walletCode,
  }),
  jetton_wallet: field.object({
    address,
    /** In base units. */
    balance: field.bigint,
    /** The owner of the wallet. */
    owner: field.optional(field.address),
    /** The jetton's master. */
    jetton: field.optional(field.address),
    /** The code of its wallets, a bag of cells in base64. */
    jetton_wallet_code: walletCode,
    /** `true` if a mintless jetton was claimed. */
    mintless_is_claimed: field.lenient('mintless_is_claimed', field.flag),
  }),
  nft_collection: field.object({
    address,
    /** The index of the next item; -1 if items have no order. */
    next_item_index: field.bigint,
    /** The owner. */
    owner_address: field.optional(field.address),
    /** Metadata, as its creator chose. */
    collection_content: field.lenient('collection_content', tokenContent),
  }),
  nft_item: field.object({
    address,
    /** `true` if it is initialized. */
    init: field.lenient('init', field.flag),
    /** The index in its collection; up to 256 bits. */
    index: field.bigint,
    /** Absent for an NFT without a collection. */
    collection_address: field.optional(field.address),
    /** The owner. */
    owner_address: field.optional(field.address),
    /** Metadata, as its creator chose. */
    content: field.lenient('content', itemContent),
  }),
})
