import type * as z from 'zod/mini'
import { nullableListField, presentListField } from '../../schema/collections.js'
import {
  addressField,
  bigintField,
  boolField,
  emptyableHashField,
  hashField,
  intField,
  lenientField,
  listField,
  objectField,
  optionalField,
} from '../../schema/fields.js'
import { taggedField, type TaggedOutput } from '../../schema/tagged.js'
import { bitcoin } from './action-details/bitcoin.js'
import { cocoon } from './action-details/cocoon.js'
import { dns } from './action-details/dns.js'
import { exchanges } from './action-details/exchanges.js'
import { jettons } from './action-details/jettons.js'
import { layerzero } from './action-details/layerzero.js'
import { lending } from './action-details/lending.js'
import { multisig } from './action-details/multisig.js'
import { nfts } from './action-details/nfts.js'
import { staking } from './action-details/staking.js'
import { transfers } from './action-details/transfers.js'
import { vesting } from './action-details/vesting.js'
import { knownTokens } from './address-book.js'
import { finality } from './finality.js'
import { transaction } from './transaction.js'

const fields = objectField({
  /** Absent while the trace is pending. */
  trace_id: optionalField(emptyableHashField),
  action_id: hashField,
  start_lt: bigintField,
  end_lt: bigintField,
  start_utime: intField,
  end_utime: intField,
  trace_end_lt: optionalField(bigintField),
  trace_end_utime: optionalField(intField),
  trace_mc_seqno_end: optionalField(intField),
  /** The hashes of its transactions. */
  transactions: nullableListField(hashField),
  /** Whether it did what it was meant to; absent when the server cannot tell. */
  success: optionalField(boolField),
  trace_external_hash: lenientField('action.trace_external_hash', hashField),
  /** The normalised hash of the message that began the trace: `hash_norm` of the message that was sent. */
  trace_external_hash_norm: lenientField('action.trace_external_hash_norm', hashField),
  /** With `include_accounts` only. */
  accounts: lenientField('action.accounts', listField(addressField)),
  /** With `include_transactions` only. */
  transactions_full: optionalField(listField(transaction)),
  finality,
})

/** What actions of every type have. */
interface ActionFields extends z.output<typeof fields> {}

/** The details of every type that is described, by type. Source: API facts, part 2.5. */
const options = {
  ...transfers,
  ...jettons,
  ...nfts,
  ...dns,
  ...exchanges,
  ...staking,
  ...lending,
  ...multisig,
  ...vesting,
  ...bitcoin,
  ...layerzero,
  ...cocoon,
}

type DescribedDetails = typeof options

/** The details of every type that is described, by type. */
interface ActionDetails extends DescribedDetails {}

/**
 * What a trace, or a part of it, was meant to do: `type` tells the shape of `details`. The server learns new types
 * from time to time: one that is not described arrives with its `details` as they came, or without any, and is not
 * part of this type, so keep a default branch.
 *
 * Details of another shape than the type says are absent, and the hook `drift` is told.
 *
 * `success` and `finality` are the server's judgement. Amounts are in base units, times are Unix seconds.
 * Source: API facts, parts 2.3 and 2.5.
 */
export type Action = TaggedOutput<ActionFields, 'type', 'details', ActionDetails>

// The types have names, since inferred ones would be written out wherever actions are part of an answer.
/** An action. */
export const action: z.ZodMiniType<Action> = taggedField('action', fields, {
  tag: 'type',
  content: 'details',
  options,
})

/** Actions of a filter. */
export const actions = objectField({
  actions: presentListField(action),
  ...knownTokens,
})
