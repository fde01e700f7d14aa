import { objectField } from '../../../schema/fields.js'
import { address, bigint, bytes, flag, int, text } from './words.js'

const between = { source: address, destination: address }

/** Orders of multi-signature wallets. Dates are Unix seconds. */
export const multisig = {
  multisig_create_order: objectField({
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
  multisig_approve: objectField({ ...between, signer_index: int, exit_code: int }),
  multisig_execute: objectField({
    ...between,
    query_id: bigint,
    order_seqno: bigint,
    expiration_date: bigint,
    approvals_num: int,
    signers_hash: text,
    order_boc: bytes,
  }),
}
