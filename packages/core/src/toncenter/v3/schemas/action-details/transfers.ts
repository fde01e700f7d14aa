import * as field from '../../../schema/fields.js'
import { extraCurrencies, opcodeField } from '../message.js'
import { address, bigint, bytes, flag, string } from '../lenient.js'

const opcode = field.lenient('action.details', opcodeField)

const call = { opcode, source: address, destination: address, value: bigint }

const transfer = {
  source: address,
  destination: address,
  /** In nanocoins. */
  value: bigint,
  value_extra_currencies: extraCurrencies,
  comment: string,
  /** `true` if the comment is encrypted; it is then base64. */
  encrypted: flag,
}

const subscription = {
  subscriber: address,
  beneficiary: address,
  subscription: address,
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
  subscribe: field.object(subscription),
  unsubscribe: field.object(subscription),
  election_deposit: election,
  election_recover: election,
}

/** Transfers, mints and burns of jettons. `asset` is the jetton's master, amounts are in its base units. */
export const jettons = {
  jetton_transfer: field.object({
    asset: address,
    sender: address,
    receiver: address,
    sender_jetton_wallet: address,
    receiver_jetton_wallet: address,
    amount: bigint,
    comment: string,
    is_encrypted_comment: flag,
    query_id: bigint,
    response_destination: address,
    custom_payload: bytes,
    forward_payload: bytes,
    /** In nanocoins. */
    forward_amount: bigint,
  }),
  jetton_mint: field.object({
    asset: address,
    receiver: address,
    receiver_jetton_wallet: address,
    amount: bigint,
    /** In nanocoins. */
    ton_amount: bigint,
  }),
  jetton_burn: field.object({
    owner: address,
    owner_jetton_wallet: address,
    asset: address,
    amount: bigint,
  }),
}
