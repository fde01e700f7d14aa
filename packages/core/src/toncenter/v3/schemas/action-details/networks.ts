import * as field from '../../../schema/fields.js'
import { address, bigint, flag, int, string } from '../lenient.js'

const asset = { amount: bigint, asset: address }

const mint = field.object({
  ...asset,
  source: address,
  destination: address,
  bitcoin_tx_id: string,
  destination_wallet: address,
})

const burn = field.object({
  ...asset,
  source: address,
  source_wallet: address,
  destination: address,
})

const newKey = field.object({
  ...asset,
  source: address,
  pubkey: string,
  coordinator: address,
  pegout: address,
})

/** The bridge to Bitcoin. The server returns these only for the shortcut `tgbtc`. */
export const bitcoin = {
  tgbtc_mint: mint,
  tgbtc_mint_fallback: mint,
  tgbtc_burn: burn,
  tgbtc_burn_fallback: burn,
  tgbtc_new_key: newKey,
  tgbtc_new_key_fallback: newKey,
  tgbtc_dkg_log_fallback: field.object({ coordinator: address, pubkey: string, timestamp: bigint }),
}

/** The id and the fees have 64 bits and are received as numbers. */
const sendData = field.optional(
  field.object({
    send_request_id: bigint,
    msglib_manager: string,
    msglib: string,
    uln: address,
    native_fee: bigint,
    zro_fee: bigint,
    endpoint: address,
    channel: address,
  }),
)

const packetData = field.optional(
  field.object({
    src_oapp: string,
    dst_oapp: string,
    src_eid: int,
    dst_eid: int,
    nonce: bigint,
    guid: string,
    message: string,
  }),
)

/** Messages from and to other chains. */
export const layerzero = {
  layerzero_send: field.object({
    initiator: address,
    layerzero_send_data: sendData,
    layerzero_packet_data: packetData,
  }),
  layerzero_send_tokens: field.object({
    sender: address,
    sender_wallet: address,
    oapp: address,
    oapp_wallet: address,
    asset: address,
    amount: bigint,
    layerzero_send_data: sendData,
    layerzero_packet_data: packetData,
  }),
  layerzero_receive: field.object({
    sender: address,
    oapp: address,
    channel: address,
    layerzero_packet_data: packetData,
  }),
  layerzero_commit_packet: field.object({
    sender: address,
    endpoint: address,
    uln: address,
    uln_connection: address,
    channel: address,
    msglib_connection: address,
    layerzero_packet_data: packetData,
  }),
  layerzero_dvn_verify: field.object({
    initiator: address,
    nonce: bigint,
    status: string,
    dvn: address,
    proxy: address,
    uln: address,
    uln_connection: address,
  }),
}

const query = { query_id: bigint, destination: address }
const between = { ...query, source: address }
const paid = { ...between, amount: bigint }

/** Payments of the compute network Cocoon. */
export const cocoon = {
  cocoon_worker_payout: field.object({
    ...paid,
    payout_type: string,
    new_tokens: bigint,
    worker_state: int,
    worker_tokens: bigint,
  }),
  cocoon_proxy_payout: field.object(between),
  cocoon_proxy_charge: field.object({
    ...between,
    new_tokens_used: bigint,
    expected_address: string,
  }),
  cocoon_client_top_up: field.object(paid),
  cocoon_register_proxy: field.object(query),
  cocoon_unregister_proxy: field.object({ ...query, seqno: int }),
  cocoon_client_register: field.object({ ...between, nonce: bigint }),
  cocoon_client_change_secret_hash: field.object({ ...between, new_secret_hash: string }),
  cocoon_client_request_refund: field.object({ ...between, via_wallet: flag }),
  cocoon_grant_refund: field.object({ ...paid, new_tokens_used: bigint, expected_address: string }),
  cocoon_client_increase_stake: field.object({ ...paid, new_stake: bigint }),
  cocoon_client_withdraw: field.object({ ...paid, withdraw_amount: bigint }),
}
