import * as field from '../../schema/fields.js'
import { action } from './action.js'
import { message } from './message.js'
import { transaction } from './transaction.js'

export const traceNode = field.tree(
  'children',
  field.object({
    /** The key of the transaction in the trace's `transactions`. */
    tx_hash: field.optional(field.emptyableHash),
    /** The hash of the message that caused the transaction. */
    in_msg_hash: field.optional(field.emptyableHash),
    /** Present from servers that leave out `transactions`. */
    transaction: field.optional(transaction),
    /** The message that caused the transaction. */
    in_msg: field.optional(message),
  }),
)

/** Progress of a trace. It has ended when it is `complete` and no message is pending. */
const traceInfo = field.object({
  /** `complete` if the trace will not grow. */
  trace_state: field.oneOf('trace_info.trace_state', ['complete', 'pending', 'broken']),
  /** Number of messages. */
  messages: field.int,
  /** Number of transactions. */
  transactions: field.int,
  /** Messages that are not processed yet. */
  pending_messages: field.int,
  /** `ok` if the server has recognized its actions. */
  classification_state: field.optional(
    field.oneOf('trace_info.classification_state', ['unclassified', 'failed', 'ok', 'broken']),
  ),
})

const traceFields = field.object({
  /** The hash of its first transaction; absent while pending. */
  trace_id: field.optional(field.emptyableHash),
  /** The hash of the message that started it. */
  external_hash: field.optional(field.emptyableHash),
  /** Masterchain blocks; 0 while pending. */
  mc_seqno_start: field.optional(field.emptyableInt),
  /** The masterchain block of the last transaction; 0 while pending. */
  mc_seqno_end: field.optional(field.emptyableInt),
  /** The logical time of the first transaction. */
  start_lt: field.bigint,
  /** Unix seconds. */
  start_utime: field.int,
  /** The logical time of the last transaction. */
  end_lt: field.optional(field.bigint),
  /** Unix seconds. */
  end_utime: field.optional(field.int),
  /** Progress of the trace. */
  trace_info: traceInfo,
  /** `true` if it has too many transactions for one response; `trace` and `transactions` are then absent. */
  is_incomplete: field.optional(field.bool),
  /** The reason if something is left out. */
  warning: field.optional(field.string),
  /** With `include_actions` only. */
  actions: field.optional(field.list(action)),
  /** The tree of its transactions. */
  trace: field.optional(traceNode),
  /** The keys of `transactions` in chronological order. */
  transactions_order: field.nullableList(field.hash),
  /** The transactions, by hash. */
  transactions: field.optional(field.map(transaction)),
})

/**
 * The tree of transactions that one external message caused. `transactions` has them by hash. A trace of more than 4000
 * transactions is received without them, with `is_incomplete` and a `warning`. Times are Unix seconds.
 * Source: API facts, parts 2.2 and 2.3.
 */
export interface Trace extends field.Output<typeof traceFields> {}

// The type has a name, since declarations would repeat an inferred type in every response that contains traces.
export const trace: field.Schema<Trace> = traceFields

/**
 * Balance changes of a trace or an action, by raw address in upper case. `changes` and `fees` are nanocoins; `jettons` are
 * base units, by owner and then by the jetton's master. Outgoing amounts are negative. Nanocoins are received as 64-bit
 * JSON numbers and lose no digit. Source: API facts, part 2.3.
 */
export const balanceChanges = field.object({
  /** In nanocoins, by account. */
  changes: field.nullableMap(field.bigint),
  /** In nanocoins, by account. */
  fees: field.nullableMap(field.bigint),
  /** In base units, by owner and then by the jetton's master. */
  jettons: field.nullableMap(field.nullableMap(field.bigint)),
})
