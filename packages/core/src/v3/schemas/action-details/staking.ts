import { nullableListField } from '../../../schema/collections.js'
import { objectField } from '../../../schema/fields.js'
import { address, bigint, int, text } from './words.js'

const stake = { provider: text, stake_holder: address, pool: address, asset: address }

const jvaultUnstake = objectField({
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
  stake_deposit: objectField({
    ...stake,
    amount: bigint,
    tokens_minted: bigint,
    source_asset: address,
  }),
  stake_withdrawal: objectField({
    ...stake,
    amount: bigint,
    payout_nft: address,
    tokens_burnt: bigint,
  }),
  stake_withdrawal_request: objectField({
    ...stake,
    payout_nft: address,
    tokens_burnt: bigint,
    tokens_minted: bigint,
  }),
  jvault_claim: objectField({
    claimed_rewards: nullableListField(objectField({ jetton: address, amount: bigint })),
    source: address,
    stake_wallet: address,
    pool: address,
  }),
  jvault_stake: objectField({
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
  coffee_staking_deposit: objectField({
    ...coffeeStaking,
    source: address,
    source_jetton_wallet: address,
    minted_item_address: address,
    minted_item_index: bigint,
  }),
  coffee_staking_withdraw: objectField({
    ...coffeeStaking,
    source: address,
    source_jetton_wallet: address,
    nft_address: address,
    nft_index: bigint,
    points: bigint,
  }),
  coffee_staking_claim_rewards: objectField({
    ...coffeeStaking,
    recipient: address,
    recipient_jetton_wallet: address,
  }),
}
