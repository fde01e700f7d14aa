import { objectField, optionalField } from '../../../schema/fields.js'
import { address, bigint, int, text } from './words.js'

const item = { nft_collection: address, nft_item: address, nft_item_index: bigint }

const change = { source: address, asset: address, nft_collection: address }

/** One of the addresses, as `sum_type` tells. The server puts a text into `dns_storage_address`. */
const recordValue = objectField({
  sum_type: text,
  dns_smc_address: text,
  dns_adnl_address: text,
  dns_text: text,
  dns_next_resolver_address: text,
  dns_storage_address: text,
  flags: int,
})

/** Changes of domains: `asset` is the domain's NFT. Prices are in nanocoins. */
export const dns = {
  change_dns: objectField({ ...change, key: text, value: optionalField(recordValue) }),
  /** The key of the record that was deleted is in `hash`. */
  delete_dns: objectField({ ...change, hash: text }),
  renew_dns: objectField(change),
  dns_purchase: objectField({
    ...item,
    new_owner: address,
    price: bigint,
    query_id: bigint,
    payout_amount: bigint,
  }),
  dns_release: objectField({ ...item, query_id: bigint, source: address, value: bigint }),
}
