import { mapField } from '../../schema/collections.js'
import { anyField, boolField, lenientField, objectField, textField } from '../../schema/fields.js'
import { lenientList } from './lenient.js'

/**
 * What is known of addresses. In other answers than that of `/addressBook` the keys are the raw addresses of the
 * answer, in upper case. `user_friendly` is non-bounceable for wallets and for accounts without a known contract.
 * Source: API facts, part 2.3.
 */
export const addressBook = mapField(
  objectField({
    user_friendly: lenientField('address_book.user_friendly', textField),
    /** The account's domain. */
    domain: lenientField('address_book.domain', textField),
    /** What its contract is, as in `wallet_v4r2`. */
    interfaces: lenientList('address_book.interfaces', textField),
  }),
)

/** What a token says about itself: whoever made it chose these texts. Never show `image` or `name` unescaped. */
const tokenInfo = objectField({
  valid: lenientField('token_info.valid', boolField),
  type: lenientField('token_info.type', textField),
  name: lenientField('token_info.name', textField),
  symbol: lenientField('token_info.symbol', textField),
  description: lenientField('token_info.description', textField),
  image: lenientField('token_info.image', textField),
  /** In decimal digits, up to 256 bits. */
  nft_index: lenientField('token_info.nft_index', textField),
  is_nsfw: lenientField('token_info.is_nsfw', boolField),
  is_scam: lenientField('token_info.is_scam', boolField),
  /** More of it; `decimals` is a text here. */
  extra: lenientField('token_info.extra', mapField(anyField)),
})

/** Tokens among the addresses of an answer, by raw address in upper case. Source: API facts, part 2.3. */
export const metadata = mapField(
  objectField({
    is_indexed: lenientField('metadata.is_indexed', boolField),
    token_info: lenientList('metadata.token_info', tokenInfo),
  }),
)

/** What is known of the addresses of an answer. One that cannot be read counts as absent: the rows matter more. */
export const knownAddresses = { address_book: lenientField('address_book', addressBook) }

/** The same, and of the tokens among them. */
export const knownTokens = { ...knownAddresses, metadata: lenientField('metadata', metadata) }
