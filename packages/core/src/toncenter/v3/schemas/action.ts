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
  /** The hash that identifies it. */
  action_id: field.hash,
  /** The logical time of its first transaction. */
  start_lt: field.bigint,
  /** The logical time of its last transaction. */
  end_lt: field.bigint,
  /** Unix seconds. */
  start_utime: field.int,
  /** Unix seconds. */
  end_utime: field.int,
  /** The logical time of the last transaction of its trace. */
  trace_end_lt: field.optional(field.bigint),
  /** End of its trace, Unix seconds. */
  trace_end_utime: field.optional(field.int),
  /** The masterchain block of the last transaction of its trace. */
  trace_mc_seqno_end: field.optional(field.int),
  /** The hashes of its transactions. */
  transactions: field.nullableList(field.hash),
  /** `true` if it succeeded; absent if the server cannot decide. */
  success: field.optional(field.bool),
  /** The hash of the message that started the trace. */
  trace_external_hash: field.lenient('action.trace_external_hash', field.hash),
  /** The normalized hash of the message that started the trace: `hash_norm` of the sent message. */
  trace_external_hash_norm: field.lenient('action.trace_external_hash_norm', field.hash),
  /** With `include_accounts` only. */
  accounts: field.lenient('action.accounts', field.list(field.address)),
  /** With `include_transactions` only. */
  transactions_full: field.optional(field.list(transaction)),
  /** Only `finalized` is permanent. Absent from servers before mid-2026. */
  finality,
})

interface ActionFields extends field.Output<typeof fields> {}

/** The details of described actions, by type. Source: API facts, part 2.5. */
const details = {
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

type DescribedDetails = typeof details

interface ActionDetails extends DescribedDetails {}

/**
 * The meaning of a trace or a part of it: `type` selects the format of `details`. If the details are missing or do not match
 * the type, `type` is `unreadable`, and `received_type` is the type that the server sent. Servers add new types: an action
 * of a new type has its `details` as received, if any, and is not part of this type, so keep a default branch.
 *
 * The server decides `success` and `finality`. Amounts are in base units, times are Unix seconds.
 * Source: API facts, parts 2.3 and 2.5.
 */
export type Action = field.TaggedOutput<ActionFields, ActionDetails>

// The types have names, since declarations would repeat an inferred type in every response that contains actions.
export const action: field.Schema<Action> = field.tagged('action', fields, details)
