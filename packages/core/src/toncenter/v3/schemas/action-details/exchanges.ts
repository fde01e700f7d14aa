import * as field from '../../../schema/fields.js'
import { address, bigint, flag, string } from '../lenient.js'

const swapTransfer = field.optional(
  field.object({
    ...field.each(
      address,
      'asset',
      'source',
      'destination',
      'source_jetton_wallet',
      'destination_jetton_wallet',
    ),
    amount: bigint,
  }),
)

const peerSwap = field.object({
  ...field.each(address, 'asset_in', 'asset_out'),
  ...field.each(bigint, 'amount_in', 'amount_out'),
})

const liquidity = {
  dex: string,
  ...field.each(bigint, 'amount_1', 'amount_2', 'tick_lower', 'tick_upper'),
  ...field.each(
    address,
    'asset_1',
    'asset_2',
    'user_jetton_wallet_1',
    'user_jetton_wallet_2',
    'source',
    'pool',
    'destination_liquidity',
  ),
}

const fromWallet = { source: address, source_jetton_wallet: address }

/** Swaps and pools. An asset is a jetton's master, absent for the native coin; amounts are in its base units. */
export const exchanges = {
  jetton_swap: field.object({
    dex: string,
    ...field.each(address, 'sender', 'asset_in', 'asset_out'),
    ...field.each(swapTransfer, 'dex_incoming_transfer', 'dex_outgoing_transfer'),
    peer_swaps: field.nullableList(peerSwap),
    /** Only from the exchange tonco. */
    min_out_amount: bigint,
  }),
  dex_deposit_liquidity: field.object({
    ...liquidity,
    ...field.each(bigint, 'lp_tokens_minted', 'target_amount_1', 'target_amount_2'),
    ...field.each(address, 'target_asset_1', 'target_asset_2'),
    vault_excesses: field.nullableList(field.object({ asset: address, amount: bigint })),
    nft_index: bigint,
    nft_address: address,
  }),
  dex_withdraw_liquidity: field.object({
    ...liquidity,
    ...field.each(bigint, 'lp_tokens_burnt', 'burnt_nft_index'),
    is_refund: flag,
    burnt_nft_address: address,
  }),
  tonco_deploy_pool: field.object({
    ...field.each(
      address,
      'source',
      'pool',
      'router',
      'router_jetton_wallet_1',
      'router_jetton_wallet_2',
      'jetton_minter_1',
      'jetton_minter_2',
    ),
    ...field.each(
      bigint,
      'tick_spacing',
      'initial_price_x96',
      'protocol_fee',
      'lp_fee_base',
      'lp_fee_current',
    ),
    pool_active: flag,
  }),
  coffee_create_pool: field.object({
    ...fromWallet,
    ...field.each(
      address,
      'initiator_1',
      'initiator_2',
      'pool',
      'pool_creator_contract',
      'provided_asset',
      'asset_1',
      'asset_2',
    ),
    ...field.each(bigint, 'amount', 'amount_1', 'amount_2', 'lp_tokens_minted'),
  }),
  coffee_create_pool_creator: field.object({
    ...fromWallet,
    ...field.each(
      address,
      'deposit_recipient',
      'pool_creator_contract',
      'provided_asset',
      'asset_1',
      'asset_2',
    ),
    amount: bigint,
  }),
  coffee_create_vault: field.object({
    ...field.each(address, 'source', 'vault', 'asset'),
    value: bigint,
  }),
  coffee_mev_protect_hold_funds: field.object({
    ...fromWallet,
    ...field.each(address, 'mev_contract', 'mev_contract_jetton_wallet', 'asset'),
    amount: bigint,
  }),
}
