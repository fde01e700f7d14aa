import * as field from '../../../schema/fields.js'
import { extraCurrencies, opcodeField } from '../message.js'
import { address, bigint, bytes, flag, string } from '../lenient.js'

const opcode = field.lenient('action.details', opcodeField)

const call = { opcode, source: address, destination: address, value: bigint }

const transfer = {
  ...field.each(address, 'source', 'destination'),
  /** In nanocoins. */
  value: bigint,
  value_extra_currencies: extraCurrencies,
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

/** Transfers, mints and burns of jettons. `asset` is the jetton's master, amounts are in its base units. */
export const jettons = {
  jetton_transfer: field.object({
    ...field.each(
      address,
      'asset',
      'sender',
      'receiver',
      'sender_jetton_wallet',
      'receiver_jetton_wallet',
      'response_destination',
    ),
    ...field.each(bigint, 'amount', 'query_id'),
    comment: string,
    is_encrypted_comment: flag,
    ...field.each(bytes, 'custom_payload', 'forward_payload'),
    /** In nanocoins. */
    forward_amount: bigint,
  }),
  jetton_mint: field.object({
    ...field.each(address, 'asset', 'receiver', 'receiver_jetton_wallet'),
    amount: bigint,
    /** In nanocoins. */
    ton_amount: bigint,
  }),
  jetton_burn: field.object({
    ...field.each(address, 'owner', 'owner_jetton_wallet', 'asset'),
    amount: bigint,
  }),
}
