import * as z from 'zod/mini'
import { firstIssue } from './issue.js'

/** Reads `value` with a schema inside another one's transform, whose issue is the first one found. */
export function readInner(
  schema: z.ZodMiniType,
  value: unknown,
  context: z.core.ParsePayload,
): unknown {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const { path, expected } = firstIssue(result.error)
  context.issues.push({ code: 'custom', path: [...path], message: expected, input: value })
  return z.NEVER
}
