import type * as z from 'zod/mini'
import { canonicalAddress } from '../address/address.js'
import type { WireParams } from '../schema/check-params.js'
import type { transactions } from './schemas/transaction.js'

type Transactions = z.output<typeof transactions>

/** Transactions without those of the accounts in `exclude_account`, which servers ignore. Source: API facts, part 2.2. */
export function withoutAccounts(result: Transactions, params: WireParams): Transactions {
  const excluded = new Set(listOf(params['exclude_account']).map(canonicalAddress))
  // An answer spells accounts raw, in upper case.
  return keep(result, excluded.size, ({ account }) => !excluded.has(account.toLowerCase()))
}

/** Transactions of the traces in `trace_id`, which servers ignore beside accounts. Source: API facts, part 2.2. */
export function ofTraces(result: Transactions, params: WireParams): Transactions {
  const wanted = new Set(listOf(params['trace_id']))
  return keep(result, wanted.size, ({ trace_id }) => wanted.has(trace_id ?? ''))
}

function keep(
  result: Transactions,
  wanted: number,
  isKept: (transaction: Transactions['transactions'][number]) => boolean,
): Transactions {
  return wanted === 0 ? result : { ...result, transactions: result.transactions.filter(isKept) }
}

/** The checked values of a parameter that takes several. */
function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? (value as readonly string[]) : []
}
