import * as field from '../../../schema/fields.js'
import { address, bigint, bytes, flag, int, string } from '../lenient.js'

const between = { source: address, destination: address }

/** Orders of multisig wallets. Dates are Unix seconds. */
export const multisig = {
  multisig_create_order: field.object({
    ...between,
    ...field.each(bigint, 'query_id', 'order_seqno', 'expiration_date'),
    ...field.each(flag, 'is_created_by_signer', 'is_signed_by_creator'),
    creator_index: int,
    order_boc: bytes,
    destination_order: address,
  }),
  multisig_approve: field.object({ ...between, signer_index: int, exit_code: int }),
  multisig_execute: field.object({
    ...between,
    ...field.each(bigint, 'query_id', 'order_seqno', 'expiration_date'),
    approvals_num: int,
    signers_hash: string,
    order_boc: bytes,
  }),
}

/** Types since September 2026, whose details are not described: they are kept as received. */
export const keysAndRelays = {
  /** A relay sent the message that the owner of a wallet had signed. */
  gasless_request: field.object({}),
  change_wallet_key: field.object({}),
}

export const vesting = {
  vesting_send_message: field.object({
    ...field.each(bigint, 'query_id', 'amount'),
    message_boc: bytes,
    ...field.each(address, 'source', 'vesting', 'destination'),
  }),
  vesting_add_whitelist: field.object({
    query_id: bigint,
    accounts_added: field.nullableList(field.address),
    ...field.each(address, 'source', 'vesting'),
  }),
}
