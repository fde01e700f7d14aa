import * as field from '../../../schema/fields.js'
import { address, bigint, bytes, flag, int, string } from '../lenient.js'

const between = { source: address, destination: address }

/** Orders of multisig wallets. Dates are Unix seconds. */
export const multisig = {
  multisig_create_order: field.object({
    ...between,
    query_id: bigint,
    order_seqno: bigint,
    is_created_by_signer: flag,
    is_signed_by_creator: flag,
    creator_index: int,
    expiration_date: bigint,
    order_boc: bytes,
    destination_order: address,
  }),
  multisig_approve: field.object({ ...between, signer_index: int, exit_code: int }),
  multisig_execute: field.object({
    ...between,
    query_id: bigint,
    order_seqno: bigint,
    expiration_date: bigint,
    approvals_num: int,
    signers_hash: string,
    order_boc: bytes,
  }),
}

/** Actions of vesting contracts. */
export const vesting = {
  vesting_send_message: field.object({
    query_id: bigint,
    message_boc: bytes,
    source: address,
    vesting: address,
    destination: address,
    amount: bigint,
  }),
  vesting_add_whitelist: field.object({
    query_id: bigint,
    accounts_added: field.nullableList(field.address),
    source: address,
    vesting: address,
  }),
}
