import type * as z from 'zod/mini'
import { InvalidParamsError, type ParamsIssue } from '../errors/params.js'
import { describeIssue, writePath } from './issue.js'
import { nearestName } from './nearest-name.js'
import type { ParamsSchema } from './params-object.js'

/** Checked parameters as they go on the wire. Those that were left out are absent. */
export type WireParams = Readonly<Record<string, unknown>>

/**
 * Checks the parameters of a call. Tags such as `@type` are left out, so that what one answer holds can be passed on to
 * the next call as it is: no parameter begins with `@`.
 * @throws {InvalidParamsError} naming every parameter that cannot be right, and for an unknown one the nearest known.
 */
export function checkParams(endpoint: string, schema: ParamsSchema, params: unknown): WireParams {
  const result = schema.safeParse(withoutTags(params))
  if (result.success) return withoutAbsent(result.data)
  const known = Object.keys(schema.def.shape)
  const issues = result.error.issues.flatMap((issue) => describe(issue, known))
  throw new InvalidParamsError({ endpoint, issues })
}

function describe(issue: z.core.$ZodIssue, known: readonly string[]): ParamsIssue[] {
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownName(key, known))
  const { path, expected } = describeIssue(issue)
  if (path.length > 0) return [{ path: writePath(path), problem: `must be ${expected}` }]
  const problem = issue.code === 'invalid_type' ? `the parameters must be ${expected}` : expected
  return [{ path: '', problem }]
}

function unknownName(name: string, known: readonly string[]): ParamsIssue {
  const nearest = nearestName(name, known)
  const hint =
    nearest === undefined
      ? `; it takes ${known.length === 0 ? 'none' : known.join(', ')}`
      : `; did you mean ${nearest}?`
  return { path: name, problem: `is not a parameter of this endpoint${hint}` }
}

function withoutTags(params: unknown): unknown {
  if (typeof params !== 'object' || params === null || Array.isArray(params)) return params
  return Object.fromEntries(Object.entries(params).filter(([name]) => !name.startsWith('@')))
}

function withoutAbsent(params: object): WireParams {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined))
}
