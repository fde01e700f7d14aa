import * as field from '../../schema/fields.js'
import { lenientList } from './lenient.js'

/**
 * Metadata of addresses. The keys are the raw addresses of the response in upper case, except in the response of
 * `/addressBook`. `user_friendly` is non-bounceable for wallets and for accounts without a known contract.
 * Source: API facts, part 2.3.
 */
export const addressBook = field.map(
  field.object({
    user_friendly: field.lenient('address_book.user_friendly', field.string),
    /** The account's domain. */
    domain: field.lenient('address_book.domain', field.string),
    /** Types of its contract, for example `wallet_v4r2`. */
    interfaces: lenientList('address_book.interfaces', field.string),
  }),
)

/** Metadata of a token, chosen by its creator. Never show `image` or `name` unescaped. */
const tokenInfo = field.object({
  valid: field.lenient('token_info.valid', field.bool),
  type: field.lenient('token_info.type', field.string),
  name: field.lenient('token_info.name', field.string),
  symbol: field.lenient('token_info.symbol', field.string),
  description: field.lenient('token_info.description', field.string),
  image: field.lenient('token_info.image', field.string),
  /** In decimal digits, up to 256 bits. */
  nft_index: field.lenient('token_info.nft_index', field.string),
  is_nsfw: field.lenient('token_info.is_nsfw', field.bool),
  is_scam: field.lenient('token_info.is_scam', field.bool),
  /** More metadata; `decimals` is a string here. */
  extra: field.lenient('token_info.extra', field.map(field.any)),
})

/** Tokens among the addresses of a response, by raw address in upper case. Source: API facts, part 2.3. */
export const metadata = field.map(
  field.object({
    is_indexed: field.lenient('metadata.is_indexed', field.bool),
    token_info: lenientList('metadata.token_info', tokenInfo),
  }),
)

/** Metadata of the addresses of a response. Unreadable metadata reads as absent: the rows matter more. */
export const knownAddresses = { address_book: field.lenient('address_book', addressBook) }

/** Metadata of the addresses and of the tokens among them. */
export const knownTokens = { ...knownAddresses, metadata: field.lenient('metadata', metadata) }

/** A response with rows under `name`, and metadata of their addresses. */
export function rowsWithAddresses<const Name extends string, Row>(
  name: Name,
  row: field.Schema<Row>,
) {
  return field.object({ ...field.each(field.presentList(row), name), ...knownAddresses })
}

/** A response with rows under `name`, and metadata of their addresses and of the tokens among them. */
export function rowsWithTokens<const Name extends string, Row>(name: Name, row: field.Schema<Row>) {
  return field.object({ ...field.each(field.presentList(row), name), ...knownTokens })
}
