import { useEffect, useState } from 'preact/hooks'
import type { TransferGroup } from '../../../src/api.js'

/** The page that the fragment of the URL names. */
export type Route =
  | { page: 'transfers'; group: TransferGroup; search: string; before: string | undefined }
  | { page: 'orders'; filter: OrderFilter }
  | { page: 'payment'; query: string }
  | { page: 'overview' }
  | { page: 'health' }

/** Fields of the filter of orders; days are in the operator's zone, `YYYY-MM-DD`. */
export const ORDER_FIELDS = ['search', 'status', 'from', 'to', 'amount', 'coin', 'after'] as const

/** The filter of orders. Empty fields match all. */
export type OrderFilter = Record<(typeof ORDER_FIELDS)[number], string>

export const GROUPS: Readonly<Record<TransferGroup, string>> = {
  all: 'All',
  open: 'Waiting',
  unknown_order: 'Unknown order',
  mismatched: 'Needs a decision',
  unverified: 'Proof failed',
  unreadable: 'Not readable',
  dead: 'Task failed',
}

/** Parses a fragment. Any unknown page is the list of transfers. */
export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2)
  if (path === 'overview') return { page: 'overview' }
  if (path === 'health') return { page: 'health' }
  if (path === 'payment') return { page: 'payment', query }
  const values = new URLSearchParams(query)
  if (path === 'orders') return { page: 'orders', filter: orderFilter(values) }
  const groups = Object.keys(GROUPS).filter((name) => name === values.get('group'))
  return {
    page: 'transfers',
    // A key of GROUPS, or the default.
    group: (groups[0] ?? 'all') as TransferGroup,
    search: values.get('search') ?? '',
    before: values.get('before') ?? undefined,
  }
}

function orderFilter(values: URLSearchParams): OrderFilter {
  const fields = ORDER_FIELDS.map((name) => [name, values.get(name) ?? ''])
  // Every field is in the list.
  return Object.fromEntries(fields) as OrderFilter
}

/** Returns the link to a page; values that are empty are left out. */
export function linkTo(page: string, values: Record<string, string | undefined> = {}): string {
  const given = Object.entries(values).flatMap(([name, value]): [string, string][] =>
    value === undefined || value === '' ? [] : [[name, value]],
  )
  const query = new URLSearchParams(given).toString()
  return `#/${page}${query === '' ? '' : `?${query}`}`
}

/** Returns the link to the story of a report, with the others of its order. */
export function linkToPayment({ reportId }: { reportId: string }): string {
  return linkTo('payment', { reportId })
}

/** Returns the current fragment. */
export function useHash(): string {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    const read = (): void => setHash(location.hash)
    addEventListener('hashchange', read)
    return () => removeEventListener('hashchange', read)
  }, [])
  return hash
}
