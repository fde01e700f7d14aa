import type * as z from 'zod/mini'
import { mapField, nullableListField, presentListField } from '../../schema/collections.js'
import {
  bigintField,
  boolField,
  emptyableHashField,
  emptyableIntField,
  enumField,
  hashField,
  intField,
  listField,
  objectField,
  optionalField,
  textField,
} from '../../schema/fields.js'
import { treeField } from '../../schema/tree.js'
import { action } from './action.js'
import { knownTokens } from './address-book.js'
import { message } from './message.js'
import { transaction } from './transaction.js'

const traceNode = treeField(
  'children',
  objectField({
    /** The key of the transaction in the trace's `transactions`. */
    tx_hash: optionalField(emptyableHashField),
    in_msg_hash: optionalField(emptyableHashField),
    /** Servers that leave out `transactions` have it here. */
    transaction: optionalField(transaction),
    in_msg: optionalField(message),
  }),
)

/** How far a trace has come. Everything has arrived when it is `complete` and no message is pending. */
const traceInfo = objectField({
  trace_state: enumField('trace_info.trace_state', ['complete', 'pending', 'broken']),
  messages: intField,
  transactions: intField,
  pending_messages: intField,
  classification_state: optionalField(
    enumField('trace_info.classification_state', ['unclassified', 'failed', 'ok', 'broken']),
  ),
})

const traceFields = objectField({
  /** The hash of its first transaction; absent while it is pending. */
  trace_id: optionalField(emptyableHashField),
  /** The hash of the message that began it. */
  external_hash: optionalField(emptyableHashField),
  /** Masterchain blocks: 0 while there is none. */
  mc_seqno_start: optionalField(emptyableIntField),
  mc_seqno_end: optionalField(emptyableIntField),
  start_lt: bigintField,
  start_utime: intField,
  end_lt: optionalField(bigintField),
  end_utime: optionalField(intField),
  trace_info: traceInfo,
  /** Whether it has too many transactions for one answer; then `trace` and `transactions` are absent. */
  is_incomplete: optionalField(boolField),
  warning: optionalField(textField),
  /** With `include_actions` only. */
  actions: optionalField(listField(action)),
  trace: optionalField(traceNode),
  /** The keys of `transactions`, in the order in which they took place. */
  transactions_order: nullableListField(hashField),
  /** The transactions, by hash. */
  transactions: optionalField(mapField(transaction)),
})

/**
 * All that one message from outside caused: a tree of transactions. `transactions` has them by hash. A trace of more
 * than 4000 transactions comes without them, with `is_incomplete` and a `warning`. Times are Unix seconds.
 * Source: API facts, parts 2.2 and 2.3.
 */
export interface Trace extends z.output<typeof traceFields> {}

// A name of its own, since the inferred type would be written out wherever traces are part of an answer.
interface TraceSchema extends z.ZodMiniType<Trace> {}

/** A trace. */
export const trace: TraceSchema = traceFields

/** Traces of a filter. */
export const traces = objectField({
  traces: presentListField(trace),
  ...knownTokens,
})

/** Traces of a filter, by the name that they had before. */
export const events = objectField({
  events: presentListField(trace),
  ...knownTokens,
})
