import * as field from '../../../schema/fields.js'
import { address, bigint, flag, string } from '../lenient.js'

const swapTransfer = field.optional(
  field.object({
    asset: address,
    source: address,
    destination: address,
    source_jetton_wallet: address,
    destination_jetton_wallet: address,
    amount: bigint,
  }),
)

const peerSwap = field.object({
  asset_in: address,
  amount_in: bigint,
  asset_out: address,
  amount_out: bigint,
})

const liquidity = {
  dex: string,
  amount_1: bigint,
  amount_2: bigint,
  asset_1: address,
  asset_2: address,
  user_jetton_wallet_1: address,
  user_jetton_wallet_2: address,
  source: address,
  pool: address,
  destination_liquidity: address,
  tick_lower: bigint,
  tick_upper: bigint,
}

const fromWallet = { source: address, source_jetton_wallet: address }

/** Swaps and pools. An asset is a jetton's master, absent for the native coin; amounts are in its base units. */
export const exchanges = {
  jetton_swap: field.object({
    dex: string,
    sender: address,
    asset_in: address,
    asset_out: address,
    dex_incoming_transfer: swapTransfer,
    dex_outgoing_transfer: swapTransfer,
    peer_swaps: field.nullableList(peerSwap),
    /** Only from the exchange tonco. */
    min_out_amount: bigint,
  }),
  dex_deposit_liquidity: field.object({
    ...liquidity,
    lp_tokens_minted: bigint,
    target_asset_1: address,
    target_asset_2: address,
    target_amount_1: bigint,
    target_amount_2: bigint,
    vault_excesses: field.nullableList(field.object({ asset: address, amount: bigint })),
    nft_index: bigint,
    nft_address: address,
  }),
  dex_withdraw_liquidity: field.object({
    ...liquidity,
    lp_tokens_burnt: bigint,
    is_refund: flag,
    burnt_nft_index: bigint,
    burnt_nft_address: address,
  }),
  tonco_deploy_pool: field.object({
    source: address,
    pool: address,
    router: address,
    router_jetton_wallet_1: address,
    router_jetton_wallet_2: address,
    jetton_minter_1: address,
    jetton_minter_2: address,
    tick_spacing: bigint,
    initial_price_x96: bigint,
    protocol_fee: bigint,
    lp_fee_base: bigint,
    lp_fee_current: bigint,
    pool_active: flag,
  }),
  coffee_create_pool: field.object({
    ...fromWallet,
    initiator_1: address,
    initiator_2: address,
    pool: address,
    pool_creator_contract: address,
    provided_asset: address,
    amount: bigint,
    asset_1: address,
    asset_2: address,
    amount_1: bigint,
    amount_2: bigint,
    lp_tokens_minted: bigint,
  }),
  coffee_create_pool_creator: field.object({
    ...fromWallet,
    deposit_recipient: address,
    pool_creator_contract: address,
    provided_asset: address,
    asset_1: address,
    asset_2: address,
    amount: bigint,
  }),
  coffee_create_vault: field.object({
    source: address,
    vault: address,
    asset: address,
    value: bigint,
  }),
  coffee_mev_protect_hold_funds: field.object({
    ...fromWallet,
    mev_contract: address,
    mev_contract_jetton_wallet: address,
    asset: address,
    amount: bigint,
  }),
}
