import { z } from 'zod'
import type { ReportFilter } from '../inbox/inbox.js'
import { DECISION_KINDS } from '../orders/decision.js'
import { parseOptions, type OptionSchemas } from '../shared/options.js'

/** Selects reports to decide again; at least one field is required. */
export type RedecideFilter = Omit<ReportFilter, 'name' | 'ids'>

const FILTER = z
  .strictObject({
    merchant: z.string().optional(),
    reference: z.string().optional(),
    state: z.enum(['parked', 'decided', 'unreadable']).optional(),
    decision: z.enum(DECISION_KINDS).optional(),
    receivedAfterMs: z.number().optional(),
  } satisfies OptionSchemas<RedecideFilter>)
  .refine((filter) => Object.keys(filter).length > 0, {
    error:
      'is empty; expected at least one of merchant, reference, state, decision, receivedAfterMs',
  })

/** @throws {ConfigurationError} for an empty filter, which would match every report, and for an unknown field. */
export function checkFilter(filter: RedecideFilter): RedecideFilter {
  return parseOptions(FILTER, filter, { path: 'filter' })
}
