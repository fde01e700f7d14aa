import {
  addressField,
  bigintField,
  boolField,
  bytesField,
  enumField,
  objectField,
  optionalField,
  textField,
  textOrObjectField,
} from '../../schema/fields.js'
import { variantField } from '../../schema/variants.js'

/** Off-chain: `data` is a link. On-chain: `data` is a dictionary of texts. */
const tokenContent = objectField({
  type: enumField('content.type', ['onchain', 'offchain']),
  data: textOrObjectField,
})

/** The content of a token, or for a domain its name and records. */
const itemContent = objectField({
  type: optionalField(enumField('content.type', ['onchain', 'offchain'])),
  domain: optionalField(textField),
  data: textOrObjectField,
})

/** The account's own address comes from the C++ server only. */
const address = optionalField(addressField)

/**
 * What a token contract tells about itself. Numbers of the Python server may have any length; an owner or an
 * administrator who does not exist is absent. Source: API facts, part 1.4, 1.6.
 */
export const tokenData = variantField('', 'contract_type', {
  jetton_master: objectField({
    address,
    total_supply: bigintField,
    mintable: boolField,
    admin_address: optionalField(addressField),
    jetton_content: tokenContent,
    jetton_wallet_code: bytesField,
  }),
  jetton_wallet: objectField({
    address,
    balance: bigintField,
    owner: addressField,
    jetton: addressField,
    jetton_wallet_code: bytesField,
    mintless_is_claimed: optionalField(boolField),
  }),
  nft_collection: objectField({
    address,
    next_item_index: bigintField,
    owner_address: optionalField(addressField),
    collection_content: tokenContent,
  }),
  nft_item: objectField({
    address,
    init: boolField,
    index: bigintField,
    collection_address: optionalField(addressField),
    owner_address: optionalField(addressField),
    content: itemContent,
  }),
})
