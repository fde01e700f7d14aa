import { objectField } from '../../../schema/fields.js'
import { address, bigint, text } from './words.js'

const asset = { amount: bigint, asset: address }

const mint = objectField({
  ...asset,
  source: address,
  destination: address,
  bitcoin_tx_id: text,
  destination_wallet: address,
})

const burn = objectField({
  ...asset,
  source: address,
  source_wallet: address,
  destination: address,
})

const newKey = objectField({
  ...asset,
  source: address,
  pubkey: text,
  coordinator: address,
  pegout: address,
})

/** The bridge to Bitcoin. The server tells about it only when asked by the short cut `tgbtc`. */
export const bitcoin = {
  tgbtc_mint: mint,
  tgbtc_mint_fallback: mint,
  tgbtc_burn: burn,
  tgbtc_burn_fallback: burn,
  tgbtc_new_key: newKey,
  tgbtc_new_key_fallback: newKey,
  tgbtc_dkg_log_fallback: objectField({ coordinator: address, pubkey: text, timestamp: bigint }),
}
