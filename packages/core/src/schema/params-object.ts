import type { OptionalParam, Param, ParamInput } from './param.js'

/** The parameters of an endpoint by their names. */
export type ParamsShape = Readonly<Record<string, Param>>

/** What checks the parameters of an endpoint and writes them as they go on the wire. */
export interface ParamsSchema<Shape extends ParamsShape = ParamsShape> {
  readonly shape: Shape
  /** What must hold for several of them together. */
  readonly rules: readonly ParamsRule[]
}

/**
 * What a caller passes: those that may be left out may be `undefined` too. Nothing is known of the parameters of just
 * any endpoint.
 */
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

type Flat<Type> = { [Field in keyof Type]: Type[Field] }

/** A rule about several parameters. */
export interface ParamsRule {
  /** What must hold, as a whole sentence without its end. */
  text: string
  isKept(isGiven: (name: string) => boolean, wire: Readonly<Record<string, unknown>>): boolean
}

/** The parameters of an endpoint. A name that is not among them is refused. */
export function paramsObject<Shape extends ParamsShape>(
  shape: Shape,
  ...rules: readonly ParamsRule[]
): ParamsSchema<Shape> {
  return { shape, rules }
}

/** Either all of the names or none. */
export function together(...names: readonly string[]): ParamsRule {
  return {
    text: `${names.join(' and ')} must be passed together`,
    isKept: (isGiven) => new Set(names.map(isGiven)).size === 1,
  }
}

/** One of the names, and only one. */
export function exactlyOne(...names: readonly string[]): ParamsRule {
  return {
    text: `exactly one of ${names.join(', ')} must be passed`,
    isKept: (isGiven) => names.filter(isGiven).length === 1,
  }
}

/** One of the names, or several. */
export function atLeastOne(...names: readonly string[]): ParamsRule {
  return {
    text: `at least one of ${names.join(', ')} must be passed`,
    isKept: (isGiven) => names.some(isGiven),
  }
}

/** One of the names, or none. */
export function atMostOne(...names: readonly string[]): ParamsRule {
  return {
    text: `no more than one of ${names.join(', ')} may be passed`,
    isKept: (isGiven) => names.filter(isGiven).length <= 1,
  }
}

/** A name that goes with others only. One that is `false` asks for nothing, and goes alone. */
export function needs(name: string, ...others: readonly string[]): ParamsRule {
  return {
    text: `${name} must be passed with ${others.join(' and ')}`,
    isKept: (isGiven, wire) => !isGiven(name) || wire[name] === false || others.every(isGiven),
  }
}

/** Of several names that are `true` or `false`, no more than one is `true`. */
export function notBoth(...names: readonly string[]): ParamsRule {
  return {
    text: `no more than one of ${names.join(' and ')} may be true: nothing would be left`,
    isKept: (_, wire) => names.filter((name) => wire[name] === true).length <= 1,
  }
}

/** Several values of a name go with exactly one value of another. */
export function severalNeedOne(name: string, other: string): ParamsRule {
  return {
    text: `several of ${name} must be passed with exactly one ${other}`,
    isKept: (_, wire) => countOf(wire[name]) <= 1 || countOf(wire[other]) === 1,
  }
}

/** How many values a parameter that takes several has. */
function countOf(values: unknown): number {
  return Array.isArray(values) ? values.length : 0
}
