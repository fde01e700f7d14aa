import { isObject } from '../../shared/is-object.js'
import { hintForName } from '../../shared/nearest-name.js'
import { InvalidParamsError, type ParamsIssue } from '../errors/api.js'
import { writePath } from './mismatch.js'
import { isOptional, type OptionalParam, type Param, type ParamInput } from './param.js'

export type ParamsShape = Readonly<Record<string, Param>>

export interface ParamsSchema<Shape extends ParamsShape = ParamsShape> {
  readonly shape: Shape
  readonly rules: readonly ParamsRule[]
}

/** Checked parameters as sent. Those that were left out are absent. */
export type WireParams = Readonly<Record<string, unknown>>

/** The parameters that a caller passes. Optional ones may be `undefined`. Any object if the endpoint is unknown. */
export type ParamsInput<Shape extends ParamsShape> = string extends keyof Shape
  ? Readonly<Record<string, unknown>>
  : [keyof Shape] extends [never]
    ? Record<string, never>
    : GivenInput<Shape>

type GivenInput<Shape extends ParamsShape> = Flat<
  {
    [Name in keyof Shape as Shape[Name] extends OptionalParam ? never : Name]: ParamInput<
      Shape[Name]
    >
  } & {
    [Name in keyof Shape as Shape[Name] extends OptionalParam ? Name : never]?:
      ParamInput<Shape[Name]> | undefined
  }
>

// Not shared: the declarations of callers would have to name an exported type.
type Flat<Type> = { [Field in keyof Type]: Type[Field] }

export interface ParamsRule {
  /** The rule as a sentence without its period. */
  text: string
  isKept(isGiven: (name: string) => boolean, wire: WireParams): boolean
}

/** Creates the parameters of an endpoint. Unknown names are refused. */
export function paramsObject<Shape extends ParamsShape>(
  shape: Shape,
  ...rules: readonly ParamsRule[]
): ParamsSchema<Shape> {
  return { shape, rules }
}

/** Requires all of the names or none. */
export function together(...names: readonly string[]): ParamsRule {
  return {
    text: `${names.join(' and ')} must be passed together`,
    isKept: (isGiven) => new Set(names.map(isGiven)).size === 1,
  }
}

export function exactlyOne(...names: readonly string[]): ParamsRule {
  return {
    text: `exactly one of ${names.join(', ')} must be passed`,
    isKept: (isGiven) => names.filter(isGiven).length === 1,
  }
}

export function atLeastOne(...names: readonly string[]): ParamsRule {
  return {
    text: `at least one of ${names.join(', ')} must be passed`,
    isKept: (isGiven) => names.some(isGiven),
  }
}

export function atMostOne(...names: readonly string[]): ParamsRule {
  return {
    text: `no more than one of ${names.join(', ')} may be passed`,
    isKept: (isGiven) => names.filter(isGiven).length <= 1,
  }
}

/** Allows `name` only with all of the others, unless it is `false`. */
export function needs(name: string, ...others: readonly string[]): ParamsRule {
  return {
    text: `${name} must be passed with ${others.join(' and ')}`,
    isKept: (isGiven, wire) => !isGiven(name) || wire[name] === false || others.every(isGiven),
  }
}

/** Allows `true` for at most one of the names. */
export function notBoth(...names: readonly string[]): ParamsRule {
  return {
    text: `no more than one of ${names.join(' and ')} may be true: nothing would be left`,
    isKept: (_, wire) => names.filter((name) => wire[name] === true).length <= 1,
  }
}

/** Requires exactly one value of `other` for several values of `name`. */
export function severalNeedOne(name: string, other: string): ParamsRule {
  return {
    text: `several of ${name} must be passed with exactly one ${other}`,
    isKept: (_, wire) => countOf(wire[name]) <= 1 || countOf(wire[other]) === 1,
  }
}

function countOf(values: unknown): number {
  return Array.isArray(values) ? values.length : 0
}

/**
 * Checks the parameters of a call and converts them for sending. Ignores names that begin with `@`, for example `@type`,
 * so that part of a response can be passed to the next call unchanged.
 * @throws {InvalidParamsError} naming every invalid parameter, and for an unknown one the nearest known name.
 */
export function checkParams(endpoint: string, schema: ParamsSchema, params: unknown): WireParams {
  if (!isObject(params)) {
    const problem = 'the parameters must be an object'
    throw new InvalidParamsError({ endpoint, issues: [{ path: '', problem }] })
  }
  const { wire, issues } = readShape(schema.shape, params, 'a parameter of this endpoint')
  for (const rule of issues.length === 0 ? schema.rules : []) {
    const isKept = rule.isKept((name) => wire[name] !== undefined, wire)
    if (!isKept) issues.push({ path: '', problem: rule.text })
  }
  if (issues.length > 0) throw new InvalidParamsError({ endpoint, issues })
  return wire
}

/**
 * Checks values by their names and converts them for sending.
 * @param noun the kind of names, as the end of "is not …"
 */
export function readShape(
  shape: ParamsShape,
  given: Readonly<Record<string, unknown>>,
  noun: string,
): { wire: WireParams; issues: ParamsIssue[] } {
  const issues: ParamsIssue[] = []
  const wire: Record<string, unknown> = {}
  for (const [name, param] of Object.entries(shape)) {
    const value = given[name]
    if (value === undefined && isOptional(param)) {
      if (param.whenLeftOut !== undefined) wire[name] = param.whenLeftOut
      continue
    }
    // Each parameter checks the value that it receives.
    wire[name] = param.read(value as never, ({ path, expected }) => {
      issues.push({ path: writePath([name, ...path]), problem: `must be ${expected}` })
      return undefined
    })
  }
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || name.startsWith('@') || Object.hasOwn(shape, name)) continue
    issues.push({ path: name, problem: `is not ${noun}; ${hintForName(name, Object.keys(shape))}` })
  }
  return { wire, issues }
}
