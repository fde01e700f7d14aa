import * as field from '../../schema/fields.js'
import { knownAddresses } from './address-book.js'

/** A domain with its records. Source: API facts, part 2.3. */
const dnsRecord = field.object({
  nft_item_address: field.address,
  nft_item_owner: field.optional(field.address),
  domain: field.string,
  dns_next_resolver: field.optional(field.address),
  /** The account for payments to the domain. The owner of the domain can change it at any time. */
  dns_wallet: field.optional(field.address),
  dns_site_adnl: field.optional(field.string),
  dns_storage_bag_id: field.optional(field.string),
})

export const dnsRecords = field.object({ records: field.presentList(dnsRecord), ...knownAddresses })
