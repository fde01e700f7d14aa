import * as field from '../../schema/fields.js'
import { address, bigint, flag, string } from './lenient.js'

/** Data of a sale contract by its type. Prices and bids are nanocoins, times Unix seconds. */
export const saleDetails = {
  getgems_sale: field.object({
    is_complete: flag,
    full_price: bigint,
    marketplace_fee_address: address,
    marketplace_fee: bigint,
    royalty_address: address,
    royalty_amount: bigint,
  }),
  getgems_auction: field.object({
    end_flag: flag,
    end_time: bigint,
    last_bid: bigint,
    last_member: address,
    min_step: bigint,
    mp_fee_address: address,
    mp_fee_factor: bigint,
    mp_fee_base: bigint,
    royalty_fee_address: address,
    royalty_fee_factor: bigint,
    royalty_fee_base: bigint,
    max_bid: bigint,
    min_bid: bigint,
    last_bid_at: bigint,
    is_canceled: flag,
  }),
  telemint: field.object({
    token_name: string,
    bidder_address: address,
    bid: bigint,
    bid_ts: bigint,
    min_bid: bigint,
    end_time: bigint,
    beneficiary_address: address,
    initial_min_bid: bigint,
    max_bid: bigint,
    min_bid_step: bigint,
    min_extend_time: bigint,
    duration: bigint,
    royalty_numerator: bigint,
    royalty_denominator: bigint,
    royalty_destination: address,
  }),
}
