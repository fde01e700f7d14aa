import { InvalidParamsError, type ParamsIssue } from '../errors/params.js'
import { writePath } from './issue.js'
import { hintForName } from './nearest-name.js'
import { isOptional } from './param.js'
import type { ParamsSchema, ParamsShape } from './params-object.js'
import { isObject } from './readers.js'

/** Checked parameters as they go on the wire. Those that were left out are absent. */
export type WireParams = Readonly<Record<string, unknown>>

/**
 * Checks the parameters of a call. Tags such as `@type` are left out, so that what one answer holds can be passed on to
 * the next call as it is: no parameter begins with `@`.
 * @throws {InvalidParamsError} naming every parameter that cannot be right, and for an unknown one the nearest known.
 */
export function checkParams(endpoint: string, schema: ParamsSchema, params: unknown): WireParams {
  if (!isObject(params)) {
    const problem = 'the parameters must be an object'
    throw new InvalidParamsError({ endpoint, issues: [{ path: '', problem }] })
  }
  const issues: ParamsIssue[] = []
  const wire = readParams(schema.shape, params, issues)
  refuseUnknown(schema.shape, params, issues)
  for (const rule of issues.length === 0 ? schema.rules : []) {
    const isKept = rule.isKept((name) => wire[name] !== undefined, wire)
    if (!isKept) issues.push({ path: '', problem: rule.text })
  }
  if (issues.length > 0) throw new InvalidParamsError({ endpoint, issues })
  return wire
}

function readParams(
  shape: ParamsShape,
  params: Readonly<Record<string, unknown>>,
  issues: ParamsIssue[],
): WireParams {
  const wire: Record<string, unknown> = {}
  for (const [name, param] of Object.entries(shape)) {
    const value = params[name]
    if (value === undefined && isOptional(param)) {
      if (param.whenLeftOut !== undefined) wire[name] = param.whenLeftOut
      continue
    }
    // Each parameter checks what it is given.
    wire[name] = param.read(value as never, ({ path, expected }) => {
      issues.push({ path: writePath([name, ...path]), problem: `must be ${expected}` })
      return undefined
    })
  }
  return wire
}

function refuseUnknown(shape: ParamsShape, params: object, issues: ParamsIssue[]): void {
  for (const name of Object.keys(params)) {
    if (name.startsWith('@') || Object.hasOwn(shape, name)) continue
    const hint = hintForName(name, Object.keys(shape))
    issues.push({ path: name, problem: `is not a parameter of this endpoint; ${hint}` })
  }
}
