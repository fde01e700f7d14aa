import { lenientField, objectField } from '../../../schema/fields.js'
import { extraCurrencies } from '../message.js'
import { opcodeField } from '../opcode.js'
import { address, bigint, flag, text } from './words.js'

const opcode = lenientField('action.details', opcodeField)

const call = { opcode, source: address, destination: address, value: bigint }

const transfer = {
  source: address,
  destination: address,
  /** In nanocoins. */
  value: bigint,
  value_extra_currencies: extraCurrencies,
  comment: text,
  /** Whether the comment is encrypted, which then is base64. */
  encrypted: flag,
}

const subscription = {
  subscriber: address,
  beneficiary: address,
  subscription: address,
  amount: bigint,
}

const election = objectField({ stake_holder: address, amount: bigint })

/** Calls, plain transfers, and what the chain itself does. */
export const transfers = {
  call_contract: objectField({ ...call, extra_currencies: extraCurrencies }),
  contract_deploy: objectField(call),
  ton_transfer: objectField(transfer),
  /** A `ton_transfer` or `call_contract` that carries other currencies than the native coin. */
  extra_currency_transfer: objectField({ ...transfer, ...call, extra_currencies: extraCurrencies }),
  tick_tock: objectField({ account: address }),
  subscribe: objectField(subscription),
  unsubscribe: objectField(subscription),
  election_deposit: election,
  election_recover: election,
}
