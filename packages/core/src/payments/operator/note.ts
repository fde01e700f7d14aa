import { z } from 'zod'
import { lazy } from '../../shared/lazy.js'
import type { OptionSchemas } from '../../shared/options.js'

/** Who acts, and why. Stored before the action is carried out. */
export interface OperatorNote {
  /** The operator, for example an email address. */
  by: string
  reason?: string | undefined
}

const MAX_LENGTH = 1000
const BY = "must name the operator, for example 'ann@shop.example'"

/** Schemas of {@link OperatorNote}. */
export const operatorNote = lazy(
  () =>
    ({
      by: z.string(BY).min(1, BY).max(MAX_LENGTH),
      reason: z.string().max(MAX_LENGTH).optional(),
    }) satisfies OptionSchemas<OperatorNote>,
)
