import * as field from '../../schema/fields.js'
import { exchanges } from './action-details/exchanges.js'
import { bitcoin, cocoon, layerzero } from './action-details/networks.js'
import { dns, nfts } from './action-details/nfts.js'
import { lending, staking } from './action-details/staking.js'
import { jettons, transfers } from './action-details/transfers.js'
import { keysAndRelays, multisig, vesting } from './action-details/wallets.js'
import { finality, transaction } from './transaction.js'

const fields = field.object({
  /** Absent while the trace is pending. */
  trace_id: field.optional(field.emptyableHash),
  action_id: field.hash,
  start_lt: field.bigint,
  end_lt: field.bigint,
  start_utime: field.int,
  end_utime: field.int,
  trace_end_lt: field.optional(field.bigint),
  trace_end_utime: field.optional(field.int),
  trace_mc_seqno_end: field.optional(field.int),
  /** The hashes of its transactions. */
  transactions: field.nullableList(field.hash),
  /** `true` if it succeeded; absent if the server cannot decide. */
  success: field.optional(field.bool),
  trace_external_hash: field.lenient('action.trace_external_hash', field.hash),
  /** The normalized hash of the message that started the trace: `hash_norm` of the sent message. */
  trace_external_hash_norm: field.lenient('action.trace_external_hash_norm', field.hash),
  /** With `include_accounts` only. */
  accounts: field.lenient('action.accounts', field.list(field.address)),
  /** With `include_transactions` only. */
  transactions_full: field.optional(field.list(transaction)),
  finality,
})

interface ActionFields extends field.Output<typeof fields> {}

/** The details of described actions, by type. Source: API facts, part 2.5. */
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
  ...keysAndRelays,
  ...bitcoin,
  ...layerzero,
  ...cocoon,
}

type DescribedDetails = typeof options

interface ActionDetails extends DescribedDetails {}

/**
 * The meaning of a trace or a part of it: `type` selects the format of `details`. Servers add new types: an undescribed
 * action keeps its `details` as received, if any, and is not part of this type, so keep a default branch.
 *
 * Details that do not match the type are absent and reported to the hook `drift`.
 *
 * The server decides `success` and `finality`. Amounts are in base units, times are Unix seconds.
 * Source: API facts, parts 2.3 and 2.5.
 */
export type Action = field.TaggedOutput<ActionFields, 'type', 'details', ActionDetails>

// The types have names, since declarations would repeat an inferred type in every response that contains actions.
export const action: field.Schema<Action> = field.tagged('action', fields, {
  tag: 'type',
  content: 'details',
  options,
})
