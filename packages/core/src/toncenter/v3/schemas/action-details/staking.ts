import * as field from '../../../schema/fields.js'
import { address, bigint, flag, int, string } from '../lenient.js'

const stake = { provider: string, stake_holder: address, pool: address, asset: address }

const jvaultUnstake = field.object({
  ...field.each(address, 'source', 'stake_wallet', 'pool', 'asset', 'staking_asset'),
  amount: bigint,
  exit_code: int,
})

const coffeeStaking = { pool: address, pool_jetton_wallet: address, asset: address, amount: bigint }

/** Stakes: deposits, withdrawals, rewards. `asset` is absent for the native coin. */
export const staking = {
  stake_deposit: field.object({
    ...stake,
    ...field.each(bigint, 'amount', 'tokens_minted'),
    source_asset: address,
  }),
  stake_withdrawal: field.object({
    ...stake,
    ...field.each(bigint, 'amount', 'tokens_burnt'),
    payout_nft: address,
  }),
  stake_withdrawal_request: field.object({
    ...stake,
    payout_nft: address,
    ...field.each(bigint, 'tokens_burnt', 'tokens_minted'),
  }),
  jvault_claim: field.object({
    claimed_rewards: field.nullableList(field.object({ jetton: address, amount: bigint })),
    ...field.each(address, 'source', 'stake_wallet', 'pool'),
  }),
  jvault_stake: field.object({
    /** In seconds. */
    period: int,
    ...field.each(bigint, 'minted_stake_jettons', 'amount'),
    ...field.each(address, 'stake_wallet', 'source', 'source_jetton_wallet', 'asset', 'pool'),
  }),
  ...field.each(jvaultUnstake, 'jvault_unstake', 'jvault_unstake_request'),
  coffee_staking_deposit: field.object({
    ...coffeeStaking,
    ...field.each(address, 'source', 'source_jetton_wallet', 'minted_item_address'),
    minted_item_index: bigint,
  }),
  coffee_staking_withdraw: field.object({
    ...coffeeStaking,
    ...field.each(address, 'source', 'source_jetton_wallet', 'nft_address'),
    ...field.each(bigint, 'nft_index', 'points'),
  }),
  coffee_staking_claim_rewards: field.object({
    ...coffeeStaking,
    ...field.each(address, 'recipient', 'recipient_jetton_wallet'),
  }),
}

/** Loans of EVAA. `asset_id` is hex with `0x`. */
export const lending = {
  evaa_supply: field.object({
    ...field.each(
      address,
      'sender_jetton_wallet',
      'recipient_jetton_wallet',
      'master_jetton_wallet',
      'master',
      'source',
      'source_wallet',
      'recipient',
      'recipient_contract',
      'asset',
    ),
    asset_id: string,
    is_ton: flag,
    amount: bigint,
  }),
  evaa_withdraw: field.object({
    ...field.each(
      address,
      'recipient_jetton_wallet',
      'master_jetton_wallet',
      'master',
      'source',
      'recipient',
      'owner_contract',
      'asset',
    ),
    ...field.each(string, 'fail_reason', 'asset_id'),
    amount: bigint,
  }),
  evaa_liquidate: field.object({
    ...field.each(string, 'fail_reason', 'asset_id'),
    ...field.each(bigint, 'debt_amount', 'amount'),
    ...field.each(address, 'source', 'borrower', 'borrower_contract', 'collateral', 'asset'),
    is_known_asset: flag,
  }),
}
