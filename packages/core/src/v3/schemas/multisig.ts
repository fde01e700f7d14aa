import { nullableListField, presentListField } from '../../schema/collections.js'
import {
  addressField,
  anyField,
  bigintField,
  boolField,
  bytesField,
  intField,
  lenientField,
  listField,
  objectField,
  optionalField,
  textField,
} from '../../schema/fields.js'
import { knownAddresses } from './address-book.js'
import { stateHash } from './lenient.js'

/** A message that an order sends. `value` is nanocoins; `parsed_body` is free JSON, whose long integers are texts. */
const orderAction = objectField({
  destination: optionalField(addressField),
  value: optionalField(bigintField),
  body_raw: lenientField('order.actions.body_raw', bytesField),
  parsed: optionalField(boolField),
  /** Why the server could not parse it. */
  error: lenientField('order.actions.error', textField),
  parsed_body: optionalField(anyField),
  parsed_body_type: lenientField('order.actions.parsed_body_type', textField),
  send_mode: optionalField(intField),
})

/** An order of a multi-signature wallet. `expiration_date` is Unix seconds, bigint since its maker chose it. */
const multisigOrder = objectField({
  address: addressField,
  multisig_address: addressField,
  order_seqno: optionalField(bigintField),
  threshold: optionalField(intField),
  sent_for_execution: optionalField(boolField),
  /** One bit for each signer. */
  approvals_mask: optionalField(bigintField),
  approvals_num: optionalField(intField),
  expiration_date: optionalField(bigintField),
  order_boc: optionalField(bytesField),
  signers: nullableListField(addressField),
  last_transaction_lt: bigintField,
  code_hash: stateHash('multisig.code_hash'),
  data_hash: stateHash('multisig.data_hash'),
  /** With `parse_actions` only. */
  actions: optionalField(listField(orderAction)),
})

/** A multi-signature wallet. Source: API facts, part 2.3. */
const multisig = objectField({
  address: addressField,
  next_order_seqno: optionalField(bigintField),
  threshold: optionalField(intField),
  signers: nullableListField(addressField),
  proposers: nullableListField(addressField),
  last_transaction_lt: bigintField,
  code_hash: stateHash('multisig.code_hash'),
  data_hash: stateHash('multisig.data_hash'),
  /** Empty without `include_orders`. */
  orders: nullableListField(multisigOrder),
})

/** Orders of a filter. */
export const multisigOrders = objectField({
  orders: presentListField(multisigOrder),
  ...knownAddresses,
})

/** Multi-signature wallets of a filter. */
export const multisigWallets = objectField({
  multisigs: presentListField(multisig),
  ...knownAddresses,
})
