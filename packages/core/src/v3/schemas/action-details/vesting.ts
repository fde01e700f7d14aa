import { nullableListField } from '../../../schema/collections.js'
import { addressField, objectField } from '../../../schema/fields.js'
import { address, bigint, bytes } from './words.js'

/** What happens with locked coins. */
export const vesting = {
  vesting_send_message: objectField({
    query_id: bigint,
    message_boc: bytes,
    source: address,
    vesting: address,
    destination: address,
    amount: bigint,
  }),
  vesting_add_whitelist: objectField({
    query_id: bigint,
    accounts_added: nullableListField(addressField),
    source: address,
    vesting: address,
  }),
}
