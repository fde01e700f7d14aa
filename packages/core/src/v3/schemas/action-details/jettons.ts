import { objectField } from '../../../schema/fields.js'
import { address, bigint, bytes, flag, text } from './words.js'

/** Transfers, mints and burns of jettons. `asset` is the jetton's master, amounts are in its base units. */
export const jettons = {
  jetton_transfer: objectField({
    asset: address,
    sender: address,
    receiver: address,
    sender_jetton_wallet: address,
    receiver_jetton_wallet: address,
    amount: bigint,
    comment: text,
    is_encrypted_comment: flag,
    query_id: bigint,
    response_destination: address,
    custom_payload: bytes,
    forward_payload: bytes,
    /** In nanocoins. */
    forward_amount: bigint,
  }),
  jetton_mint: objectField({
    asset: address,
    receiver: address,
    receiver_jetton_wallet: address,
    amount: bigint,
    /** In nanocoins. */
    ton_amount: bigint,
  }),
  jetton_burn: objectField({
    owner: address,
    owner_jetton_wallet: address,
    asset: address,
    amount: bigint,
  }),
}
