import * as field from '../../schema/fields.js'
import { lenientList } from './lenient.js'

/**
 * Metadata of addresses. The keys are the raw addresses of the response in upper case, except in the response of
 * `/addressBook`. `user_friendly` is non-bounceable for wallets and for accounts without a known contract.
 * Source: API facts, part 2.3.
 */
export const addressBook = field.map(
  field.object({
    /** Base64 with a checksum; non-bounceable for wallets. */
    user_friendly: field.lenient('address_book.user_friendly', field.string),
    /** The account's domain. */
    domain: field.lenient('address_book.domain', field.string),
    /** Types of its contract, for example `wallet_v4r2`. */
    interfaces: lenientList('address_book.interfaces', field.string),
  }),
)

/** Metadata of a token, chosen by its creator. Never show `image` or `name` unescaped. */
const tokenInfo = field.object({
  /** `false` if the contract is not a token. */
  valid: field.lenient('token_info.valid', field.bool),
  /** For example `jetton_masters` or `nft_items`. */
  type: field.lenient('token_info.type', field.string),
  /** Chosen by its creator. */
  name: field.lenient('token_info.name', field.string),
  /** Chosen by its creator. */
  symbol: field.lenient('token_info.symbol', field.string),
  /** Chosen by its creator. */
  description: field.lenient('token_info.description', field.string),
  /** A link that its creator chose. */
  image: field.lenient('token_info.image', field.string),
  /** In decimal digits, up to 256 bits. */
  nft_index: field.lenient('token_info.nft_index', field.string),
  /** `true` if the server has marked it as offensive. */
  is_nsfw: field.lenient('token_info.is_nsfw', field.bool),
  /** `true` if the server has marked it as fraud. */
  is_scam: field.lenient('token_info.is_scam', field.bool),
  /** More metadata; `decimals` is a string here. */
  extra: field.lenient('token_info.extra', field.map(field.any)),
})

/** Tokens among the addresses of a response, by raw address in upper case. Source: API facts, part 2.3. */
export const metadata = field.map(
  field.object({
    /** `true` if the server has read its metadata. */
    is_indexed: field.lenient('metadata.is_indexed', field.bool),
    /** One entry for each role of the contract. */
    token_info: lenientList('metadata.token_info', tokenInfo),
  }),
)

/** Metadata of the addresses of a response. Unreadable metadata reads as absent: the rows matter more. */
export const knownAddresses = {
  /** Metadata of the addresses of the response. */
  address_book: field.lenient('address_book', addressBook),
}

/** Metadata of the addresses and of the tokens among them. */
export const knownTokens = {
  ...knownAddresses,
  /** Tokens among the addresses of the response. */
  metadata: field.lenient('metadata', metadata),
}

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
