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
    total_supply: field.bigint,
    mintable: field.lenient('mintable', field.flag),
    admin_address: field.optional(field.address),
    jetton_content: field.lenient('jetton_content', tokenContent),
    jetton_wallet_code: walletCode,
  }),
  jetton_wallet: field.object({
    address,
    balance: field.bigint,
    owner: field.optional(field.address),
    jetton: field.optional(field.address),
    jetton_wallet_code: walletCode,
    mintless_is_claimed: field.lenient('mintless_is_claimed', field.flag),
  }),
  nft_collection: field.object({
    address,
    next_item_index: field.bigint,
    owner_address: field.optional(field.address),
    collection_content: field.lenient('collection_content', tokenContent),
  }),
  nft_item: field.object({
    address,
    init: field.lenient('init', field.flag),
    index: field.bigint,
    collection_address: field.optional(field.address),
    owner_address: field.optional(field.address),
    content: field.lenient('content', itemContent),
  }),
})
