import * as field from '../../schema/fields.js'
import { address, bigint, flag, string } from './lenient.js'

/** Data of a sale contract by its type. Prices and bids are nanocoins, times Unix seconds. */
export const saleDetails = {
  getgems_sale: field.object({
    is_complete: flag,
    ...field.each(bigint, 'full_price', 'marketplace_fee', 'royalty_amount'),
    marketplace_fee_address: address,
    royalty_address: address,
  }),
  getgems_auction: field.object({
    end_flag: flag,
    ...field.each(
      bigint,
      'end_time',
      'last_bid',
      'min_step',
      'mp_fee_factor',
      'mp_fee_base',
      'royalty_fee_factor',
      'royalty_fee_base',
      'max_bid',
      'min_bid',
      'last_bid_at',
    ),
    ...field.each(address, 'last_member', 'mp_fee_address', 'royalty_fee_address'),
    is_canceled: flag,
  }),
  telemint: field.object({
    token_name: string,
    ...field.each(address, 'bidder_address', 'beneficiary_address', 'royalty_destination'),
    ...field.each(
      bigint,
      'bid',
      'bid_ts',
      'min_bid',
      'end_time',
      'initial_min_bid',
      'max_bid',
      'min_bid_step',
      'min_extend_time',
      'duration',
      'royalty_numerator',
      'royalty_denominator',
    ),
  }),
}
