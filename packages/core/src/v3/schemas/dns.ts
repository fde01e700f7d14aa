import { presentListField } from '../../schema/collections.js'
import { addressField, objectField, optionalField, textField } from '../../schema/fields.js'
import { knownAddresses } from './address-book.js'

/** A domain and what it stands for. Source: API facts, part 2.3. */
const dnsRecord = objectField({
  nft_item_address: addressField,
  nft_item_owner: optionalField(addressField),
  domain: textField,
  dns_next_resolver: optionalField(addressField),
  /** The account that payments to the domain go to. Whoever owns the domain can change it at any time. */
  dns_wallet: optionalField(addressField),
  dns_site_adnl: optionalField(textField),
  dns_storage_bag_id: optionalField(textField),
})

/** Domains of a filter. */
export const dnsRecords = objectField({
  records: presentListField(dnsRecord),
  ...knownAddresses,
})
