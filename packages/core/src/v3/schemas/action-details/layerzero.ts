import { objectField, optionalField } from '../../../schema/fields.js'
import { address, bigint, int, text } from './words.js'

/** The id and the fees have 64 bits, and come as numbers. */
const sendData = optionalField(
  objectField({
    send_request_id: bigint,
    msglib_manager: text,
    msglib: text,
    uln: address,
    native_fee: bigint,
    zro_fee: bigint,
    endpoint: address,
    channel: address,
  }),
)

const packetData = optionalField(
  objectField({
    src_oapp: text,
    dst_oapp: text,
    src_eid: int,
    dst_eid: int,
    nonce: bigint,
    guid: text,
    message: text,
  }),
)

/** Messages from and to other chains. */
export const layerzero = {
  layerzero_send: objectField({
    initiator: address,
    layerzero_send_data: sendData,
    layerzero_packet_data: packetData,
  }),
  layerzero_send_tokens: objectField({
    sender: address,
    sender_wallet: address,
    oapp: address,
    oapp_wallet: address,
    asset: address,
    amount: bigint,
    layerzero_send_data: sendData,
    layerzero_packet_data: packetData,
  }),
  layerzero_receive: objectField({
    sender: address,
    oapp: address,
    channel: address,
    layerzero_packet_data: packetData,
  }),
  layerzero_commit_packet: objectField({
    sender: address,
    endpoint: address,
    uln: address,
    uln_connection: address,
    channel: address,
    msglib_connection: address,
    layerzero_packet_data: packetData,
  }),
  layerzero_dvn_verify: objectField({
    initiator: address,
    nonce: bigint,
    status: text,
    dvn: address,
    proxy: address,
    uln: address,
    uln_connection: address,
  }),
}
