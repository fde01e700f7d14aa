import * as field from '../../../schema/fields.js'
import { address, bigint, flag, int, string } from '../lenient.js'

const stake = { provider: string, stake_holder: address, pool: address, asset: address }

const jvaultUnstake = field.object({
  source: address,
  stake_wallet: address,
  pool: address,
  amount: bigint,
  exit_code: int,
  asset: address,
  staking_asset: address,
})

const coffeeStaking = { pool: address, pool_jetton_wallet: address, asset: address, amount: bigint }

/** Stakes: deposits, withdrawals, rewards. `asset` is absent for the native coin. */
export const staking = {
  stake_deposit: field.object({
    ...stake,
    amount: bigint,
    tokens_minted: bigint,
    source_asset: address,
  }),
  stake_withdrawal: field.object({
    ...stake,
    amount: bigint,
    payout_nft: address,
    tokens_burnt: bigint,
  }),
  stake_withdrawal_request: field.object({
    ...stake,
    payout_nft: address,
    tokens_burnt: bigint,
    tokens_minted: bigint,
  }),
  jvault_claim: field.object({
    claimed_rewards: field.nullableList(field.object({ jetton: address, amount: bigint })),
    source: address,
    stake_wallet: address,
    pool: address,
  }),
  jvault_stake: field.object({
    /** In seconds. */
    period: int,
    minted_stake_jettons: bigint,
    stake_wallet: address,
    source: address,
    source_jetton_wallet: address,
    asset: address,
    pool: address,
    amount: bigint,
  }),
  jvault_unstake: jvaultUnstake,
  jvault_unstake_request: jvaultUnstake,
  coffee_staking_deposit: field.object({
    ...coffeeStaking,
    source: address,
    source_jetton_wallet: address,
    minted_item_address: address,
    minted_item_index: bigint,
  }),
  coffee_staking_withdraw: field.object({
    ...coffeeStaking,
    source: address,
    source_jetton_wallet: address,
    nft_address: address,
    nft_index: bigint,
    points: bigint,
  }),
  coffee_staking_claim_rewards: field.object({
    ...coffeeStaking,
    recipient: address,
    recipient_jetton_wallet: address,
  }),
}

/** Loans of EVAA. `asset_id` is hex with `0x`. */
export const lending = {
  evaa_supply: field.object({
    sender_jetton_wallet: address,
    recipient_jetton_wallet: address,
    master_jetton_wallet: address,
    master: address,
    asset_id: string,
    is_ton: flag,
    source: address,
    source_wallet: address,
    recipient: address,
    recipient_contract: address,
    asset: address,
    amount: bigint,
  }),
  evaa_withdraw: field.object({
    recipient_jetton_wallet: address,
    master_jetton_wallet: address,
    master: address,
    fail_reason: string,
    asset_id: string,
    source: address,
    recipient: address,
    owner_contract: address,
    asset: address,
    amount: bigint,
  }),
  evaa_liquidate: field.object({
    fail_reason: string,
    debt_amount: bigint,
    source: address,
    borrower: address,
    borrower_contract: address,
    collateral: address,
    asset_id: string,
    asset: address,
    is_known_asset: flag,
    amount: bigint,
  }),
}
