import * as field from '../../../schema/fields.js'
import { address, bigint, flag, int, string } from '../lenient.js'

const asset = { amount: bigint, asset: address }

const mint = field.object({
  ...asset,
  ...field.each(address, 'source', 'destination', 'destination_wallet'),
  bitcoin_tx_id: string,
})

const burn = field.object({
  ...asset,
  ...field.each(address, 'source', 'source_wallet', 'destination'),
})

const newKey = field.object({
  ...asset,
  ...field.each(address, 'source', 'coordinator', 'pegout'),
  pubkey: string,
})

/** The bridge to Bitcoin. The server returns these only for the shortcut `tgbtc`. */
export const bitcoin = {
  ...field.each(mint, 'tgbtc_mint', 'tgbtc_mint_fallback'),
  ...field.each(burn, 'tgbtc_burn', 'tgbtc_burn_fallback'),
  ...field.each(newKey, 'tgbtc_new_key', 'tgbtc_new_key_fallback'),
  tgbtc_dkg_log_fallback: field.object({ coordinator: address, pubkey: string, timestamp: bigint }),
}

/** The id and the fees have 64 bits and are received as numbers. */
const sendData = field.optional(
  field.object({
    ...field.each(bigint, 'send_request_id', 'native_fee', 'zro_fee'),
    ...field.each(string, 'msglib_manager', 'msglib'),
    ...field.each(address, 'uln', 'endpoint', 'channel'),
  }),
)

const packetData = field.optional(
  field.object({
    ...field.each(string, 'src_oapp', 'dst_oapp', 'guid', 'message'),
    ...field.each(int, 'src_eid', 'dst_eid'),
    nonce: bigint,
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
    ...field.each(address, 'sender', 'sender_wallet', 'oapp', 'oapp_wallet', 'asset'),
    amount: bigint,
    layerzero_send_data: sendData,
    layerzero_packet_data: packetData,
  }),
  layerzero_receive: field.object({
    ...field.each(address, 'sender', 'oapp', 'channel'),
    layerzero_packet_data: packetData,
  }),
  layerzero_commit_packet: field.object({
    ...field.each(
      address,
      'sender',
      'endpoint',
      'uln',
      'uln_connection',
      'channel',
      'msglib_connection',
    ),
    layerzero_packet_data: packetData,
  }),
  layerzero_dvn_verify: field.object({
    ...field.each(address, 'initiator', 'dvn', 'proxy', 'uln', 'uln_connection'),
    nonce: bigint,
    status: string,
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
    ...field.each(bigint, 'new_tokens', 'worker_tokens'),
    worker_state: int,
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
