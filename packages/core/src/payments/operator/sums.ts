import { z } from 'zod'
import type { InboxSums } from '../inbox/inbox.js'
import type { Order } from '../orders/order.js'
import { lazy } from '../../shared/lazy.js'
import { parseOptions, type OptionSchemas } from '../../shared/options.js'
import type { OperatorContext } from './context.js'

/** A period to sum. */
export interface SumsQuery {
  from: Date
  /** The end, not included. */
  before: Date
}

const QUERY = lazy(() =>
  z.strictObject({ from: z.date(), before: z.date() } satisfies OptionSchemas<SumsQuery>),
)

/** See `Operator.sums`. */
export async function sums<O extends Order>(
  { name, inbox }: OperatorContext<O>,
  given: SumsQuery,
): Promise<InboxSums> {
  const { from, before } = parseOptions(QUERY(), given, { path: 'query' })
  return inbox.sums({ name, fromMs: from.getTime(), beforeMs: before.getTime() })
}
