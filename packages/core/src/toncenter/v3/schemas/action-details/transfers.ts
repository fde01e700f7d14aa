import * as field from '../../../schema/fields.js'
import { extraCurrencies, opcodeField } from '../message.js'
import { address, bigint, bytes, flag, string } from '../lenient.js'

const opcode = field.lenient('action.details', opcodeField)

const sent = {
  /** The sender. */
  source: address,
  /** The receiver. */
  destination: address,
  /** In nanocoins. */
  value: bigint,
}

const call = {
  /** The first 32 bits of the body. */
  opcode,
  ...sent,
}

const transfer = {
  ...sent,
  /** Amounts in other currencies, by currency id. */
  value_extra_currencies: extraCurrencies,
  /** The comment in the message. */
  comment: string,
  /** `true` if the comment is encrypted; it is then base64. */
  encrypted: flag,
}

const subscription = {
  ...field.each(address, 'subscriber', 'beneficiary', 'subscription'),
  amount: bigint,
}

const election = field.object({ stake_holder: address, amount: bigint })

/** Calls, plain transfers, and actions of the chain itself. */
export const transfers = {
  call_contract: field.object({ ...call, extra_currencies: extraCurrencies }),
  contract_deploy: field.object(call),
  ton_transfer: field.object(transfer),
  /** A `ton_transfer` or `call_contract` that carries other currencies than the native coin. */
  extra_currency_transfer: field.object({
    ...transfer,
    ...call,
    extra_currencies: extraCurrencies,
  }),
  tick_tock: field.object({ account: address }),
  ...field.each(field.object(subscription), 'subscribe', 'unsubscribe'),
  ...field.each(election, 'election_deposit', 'election_recover'),
}

const jetton = {
  /** The jetton's master. */
  asset: address,
  /** In base units. */
  amount: bigint,
}

/** Transfers, mints and burns of jettons. `asset` is the jetton's master, amounts are in its base units. */
export const jettons = {
  jetton_transfer: field.object({
    ...jetton,
    /** The owner that sends. */
    sender: address,
    /** The owner that receives. */
    receiver: address,
    ...field.each(address, 'sender_jetton_wallet', 'receiver_jetton_wallet'),
    /** The account that receives the rest of the attached coins. */
    response_destination: address,
    /** Chosen by the sender. */
    query_id: bigint,
    /** The comment for the receiver. */
    comment: string,
    /** `true` if the comment is encrypted; it is then base64. */
    is_encrypted_comment: flag,
    ...field.each(bytes, 'custom_payload', 'forward_payload'),
    /** In nanocoins. */
    forward_amount: bigint,
  }),
  jetton_mint: field.object({
    ...jetton,
    /** The owner that receives. */
    receiver: address,
    receiver_jetton_wallet: address,
    /** In nanocoins. */
    ton_amount: bigint,
  }),
  jetton_burn: field.object({
    ...jetton,
    ...field.each(address, 'owner', 'owner_jetton_wallet'),
  }),
}
