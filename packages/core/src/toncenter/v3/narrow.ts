import { canonicalAddress } from '../../shared/address.js'
import type { Output } from '../schema/fields.js'
import type { WireParams } from '../schema/params-object.js'
import type { transactions } from './schemas/transaction.js'

type Transactions = Output<typeof transactions>

/** Removes transactions of the accounts in `exclude_account`, which servers ignore. Source: API facts, part 2.2. */
export function withoutAccounts(result: Transactions, params: WireParams): Transactions {
  const excluded = new Set(valuesOf(params['exclude_account']).map(canonicalAddress))
  // Responses have raw accounts in upper case.
  return keep(result, excluded.size, ({ account }) => !excluded.has(account.toLowerCase()))
}

/** Keeps transactions of the traces in `trace_id`, which servers ignore beside accounts. Source: API facts, part 2.2. */
export function ofTraces(result: Transactions, params: WireParams): Transactions {
  const wanted = new Set(valuesOf(params['trace_id']))
  return keep(result, wanted.size, ({ trace_id }) => wanted.has(trace_id ?? ''))
}

function keep(
  result: Transactions,
  filterSize: number,
  isKept: (transaction: Transactions['transactions'][number]) => boolean,
): Transactions {
  if (filterSize === 0) return result
  return { ...result, transactions: result.transactions.filter(isKept) }
}

function valuesOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? (value as readonly string[]) : []
}
