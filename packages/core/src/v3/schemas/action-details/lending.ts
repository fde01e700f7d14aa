import { objectField } from '../../../schema/fields.js'
import { address, bigint, flag, text } from './words.js'

/** Loans of EVAA. `asset_id` is hex with `0x`. */
export const lending = {
  evaa_supply: objectField({
    sender_jetton_wallet: address,
    recipient_jetton_wallet: address,
    master_jetton_wallet: address,
    master: address,
    asset_id: text,
    is_ton: flag,
    source: address,
    source_wallet: address,
    recipient: address,
    recipient_contract: address,
    asset: address,
    amount: bigint,
  }),
  evaa_withdraw: objectField({
    recipient_jetton_wallet: address,
    master_jetton_wallet: address,
    master: address,
    fail_reason: text,
    asset_id: text,
    source: address,
    recipient: address,
    owner_contract: address,
    asset: address,
    amount: bigint,
  }),
  evaa_liquidate: objectField({
    fail_reason: text,
    debt_amount: bigint,
    source: address,
    borrower: address,
    borrower_contract: address,
    collateral: address,
    asset_id: text,
    asset: address,
    is_known_asset: flag,
    amount: bigint,
  }),
}
