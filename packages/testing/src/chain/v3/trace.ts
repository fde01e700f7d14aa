import { normalizedHash } from '../message-hash.js'
import { withDescendants, type RecordedTransaction } from '../recorded-transaction.js'
import { base64Hash } from '../spellings.js'
import { writeMessage, writeTransaction } from './write.js'

type Json = Record<string, unknown>

/**
 * A row of `/traces`.
 * @param seen the transactions that the server knows of; the rest of the trace is pending
 */
export function writeTrace(
  root: RecordedTransaction,
  seen: (one: RecordedTransaction) => boolean,
  hasActions: boolean,
): Json {
  const all = withDescendants(root).filter(seen)
  const last = all.reduce((latest, one) =>
    one.transaction.lt > latest.transaction.lt ? one : latest,
  )
  const internal = all.flatMap(({ transaction }) =>
    [...transaction.outMessages.values()].filter(({ info }) => info.type === 'internal'),
  )
  const pending = internal.length - (all.length - 1)
  return {
    trace_id: base64Hash(root.transaction.hash()),
    external_hash: root.inMessage === undefined ? null : base64Hash(root.inMessage.hash()),
    mc_seqno_start: root.seqno.toString(),
    mc_seqno_end: last.seqno.toString(),
    start_lt: root.transaction.lt.toString(),
    start_utime: root.transaction.now,
    end_lt: last.transaction.lt.toString(),
    end_utime: last.transaction.now,
    trace_info: {
      trace_state: pending === 0 ? 'complete' : 'pending',
      messages: all.length + pending,
      transactions: all.length,
      pending_messages: pending,
      classification_state: 'unclassified',
    },
    is_incomplete: false,
    ...(hasActions && { actions: [] }),
    trace: writeNode(root, seen),
    transactions_order: all.map(({ transaction }) => base64Hash(transaction.hash())),
    transactions: Object.fromEntries(
      all.map((one) => [base64Hash(one.transaction.hash()), writeTransaction(one)]),
    ),
  }
}

/** Whether a message is the one of that hash, as it is or normalised. */
export function isMessage(cell: RecordedTransaction['inMessage'], hash: string): boolean {
  if (cell === undefined) return false
  return base64Hash(cell.hash()) === hash || base64Hash(normalizedHash(cell)) === hash
}

/** A row of `/messages`. */
export function writeMessageRow(
  cell: NonNullable<RecordedTransaction['inMessage']>,
  receiver: RecordedTransaction | undefined,
  sender: RecordedTransaction | undefined,
): Json {
  return {
    ...writeMessage(cell),
    ...(receiver && { in_msg_tx_hash: base64Hash(receiver.transaction.hash()) }),
    ...(sender && { out_msg_tx_hash: base64Hash(sender.transaction.hash()) }),
  }
}

function writeNode(one: RecordedTransaction, seen: (one: RecordedTransaction) => boolean): Json {
  return {
    tx_hash: base64Hash(one.transaction.hash()),
    in_msg_hash: one.inMessage === undefined ? null : base64Hash(one.inMessage.hash()),
    children: one.children.filter(seen).map((child) => writeNode(child, seen)),
  }
}
