import { createHash } from 'node:crypto'
import { base64Hash, rawAddress } from '../shared/encodings.js'
import type { Action } from './classify.js'
import { factsOf, hashOf } from './facts.js'
import type { Json } from './json.js'
import type { KnownTrace } from './known-trace.js'

/** The id of an action, which is the same in each response. */
export function idOf({ opening, type }: Action): string {
  return base64Hash(createHash('sha256').update(`${opening.hash}${type}`).digest())
}

/** Returns the accounts of an action. */
export function accountsIn({ details, transactions }: Action): string[] {
  const named = Object.values(details).filter(
    (value): value is string => typeof value === 'string' && /^-?\d+:[0-9A-F]{64}$/.test(value),
  )
  return [...new Set([...named, ...transactions.map(({ address }) => rawAddress(address))])]
}

/** Writes a row of `/actions`. */
export function writeAction({ root, last }: KnownTrace, action: Action, isPending = false): Json {
  const { type, isSuccess, details, opening, transactions } = action
  // Every action has the transaction that received its first message.
  const [first, end] = [transactions[0]!, transactions.at(-1)!]
  const external = root.inMessage === undefined ? undefined : factsOf(root.inMessage)
  return {
    trace_id: hashOf(root),
    action_id: idOf(action),
    start_lt: (opening.lt ?? first.transaction.lt).toString(),
    end_lt: end.transaction.lt.toString(),
    start_utime: first.transaction.now,
    end_utime: end.transaction.now,
    trace_end_lt: last.transaction.lt.toString(),
    trace_end_utime: last.transaction.now,
    trace_mc_seqno_end: isPending ? 0 : last.seqno,
    transactions: transactions.map(hashOf),
    success: isSuccess,
    type,
    details,
    ...(external !== undefined && {
      trace_external_hash: external.hash,
      trace_external_hash_norm: external.normalizedHash,
    }),
    finality: isPending ? 'pending' : 'finalized',
  }
}
