import {
  addressField,
  bigintField,
  bytesField,
  enumField,
  flagField,
  lenientField,
  objectField,
  optionalField,
  textField,
  textOrObjectField,
} from '../../schema/fields.js'
import { variantField } from '../../schema/variants.js'

/** A link, or a dictionary of texts. */
const contentData = lenientField('content.data', textOrObjectField)

/** Off-chain: `data` is a link. On-chain: `data` is a dictionary of texts. */
const tokenContent = objectField({
  type: enumField('content.type', ['onchain', 'offchain']),
  data: contentData,
})

/** The content of a token, or for a domain its name and records. */
const itemContent = objectField({
  type: optionalField(enumField('content.type', ['onchain', 'offchain'])),
  domain: optionalField(textField),
  data: contentData,
})

/** The account's own address comes from the C++ server only. */
const address = optionalField(addressField)

const walletCode = lenientField('jetton_wallet_code', bytesField)

/**
 * What a token contract tells about itself. Numbers of the Python server may have any length; an owner or an
 * administrator who does not exist is absent. Anybody can write such a contract, so only amounts and indexes must be
 * what they should be. Source: API facts, part 1.4, 1.6.
 */
export const tokenData = variantField('', 'contract_type', {
  jetton_master: objectField({
    address,
    total_supply: bigintField,
    mintable: lenientField('mintable', flagField),
    admin_address: optionalField(addressField),
    jetton_content: lenientField('jetton_content', tokenContent),
    jetton_wallet_code: walletCode,
  }),
  jetton_wallet: objectField({
    address,
    balance: bigintField,
    owner: optionalField(addressField),
    jetton: optionalField(addressField),
    jetton_wallet_code: walletCode,
    mintless_is_claimed: lenientField('mintless_is_claimed', flagField),
  }),
  nft_collection: objectField({
    address,
    next_item_index: bigintField,
    owner_address: optionalField(addressField),
    collection_content: lenientField('collection_content', tokenContent),
  }),
  nft_item: objectField({
    address,
    init: lenientField('init', flagField),
    index: bigintField,
    collection_address: optionalField(addressField),
    owner_address: optionalField(addressField),
    content: lenientField('content', itemContent),
  }),
})
