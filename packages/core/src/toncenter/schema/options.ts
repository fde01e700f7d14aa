import { ConfigurationError } from '../../shared/configuration-error.js'
import { isObject } from '../../shared/is-object.js'
import { createParam, optionalParam, type OptionalParam, type Param } from './param.js'
import { readShape, type ParamsShape } from './params-object.js'

// The vocabulary for options. A shape declares each option of an interface once, with its check.

export type OptionShape<Options extends object> = {
  readonly [Name in keyof Options]-?: undefined extends Options[Name] ? OptionalParam : Param
}

/**
 * Checks options. One whose value is `undefined` counts as left out.
 * @param path the name of the option that holds them. @default '' (the argument itself)
 * @throws {ConfigurationError} for the first unknown or invalid option. An unknown one gets the nearest name as a hint.
 */
export function checkOptions(
  shape: ParamsShape,
  given: unknown,
  path = '',
): asserts given is object {
  if (!isObject(given)) {
    throw new ConfigurationError({ option: path || 'options', problem: 'must be an object' })
  }
  const [issue] = readShape(shape, given, 'an option here').issues
  if (issue === undefined) return
  const value = given[issue.path]
  // The content of a string may be a secret.
  const received = typeof value === 'number' || value === null ? value : typeof value
  const isKnown = Object.hasOwn(shape, issue.path)
  throw new ConfigurationError({
    option: path === '' ? issue.path : `${path}.${issue.path}`,
    problem: isKnown ? `${issue.problem}; received ${received}` : issue.problem,
  })
}

/** An option that may be left out and that its user checks. */
export const anyOption = optionalParam(createParam<unknown, unknown>('a value', (value) => value))

/** A number above 0; `Infinity` is one. */
export const positiveParam = createParam<number, number>('a number above 0', (value) =>
  typeof value === 'number' && value > 0 ? value : undefined,
)

export const notNegativeParam = createParam<number, number>('a number of at least 0', (value) =>
  typeof value === 'number' && value >= 0 ? value : undefined,
)

export const functionParam = createParam<unknown, unknown>('a function', (value) =>
  typeof value === 'function' ? value : undefined,
)

/** An object with methods of these names. */
export function objectParam(expected: string, ...methods: readonly string[]): Param<object> {
  return createParam<object, never>(expected, (value: unknown) =>
    isObject(value) && methods.every((name) => typeof value[name] === 'function')
      ? value
      : undefined,
  )
}

export function oneOfParam<Word extends string>(words: readonly Word[]): Param<Word, Word> {
  const expected = words.map((word) => `'${word}'`).join(' or ')
  return createParam<Word, Word>(expected, (value) => (words.includes(value) ? value : undefined))
}
