import { z } from 'zod'
import { AddressError, canonicalAddress } from './address.js'
import { canonicalAsset } from './asset.js'
import { ConfigurationError } from './configuration-error.js'
import { isObject } from './is-object.js'
import { describeType } from './describe-type.js'
import { hintForName } from './nearest-name.js'
import { describeSettingMistake } from './setting-mistake.js'

/** One schema for each option: `z.strictObject({ … } satisfies OptionSchemas<Options>)` reports a forgotten or misspelt one. */
export type OptionSchemas<Options> = {
  [Name in keyof Options]-?: z.ZodType<unknown, Options[Name]>
}

/**
 * Validates options and returns them with the defaults of the schema. An option whose value is `undefined` counts as left
 * out. A schema's own error messages begin with `must`, for example `must be a pool of pg. Install pg 8 or later`; the
 * received value is added to the first sentence. The characters of a received string are not shown, since it may be a secret.
 * @param path the name of the argument or option that holds the options. @default '' (the first argument)
 * @throws {ConfigurationError} for the first unknown or invalid option. An unknown one gets the nearest name as a hint.
 * @example
 * ```ts
 * import { parseOptions } from '@tonplug/core/internal'
 * import { z } from 'zod'
 *
 * const options = z.strictObject({ url: z.string().min(1), prefix: z.string().default('tonplug') })
 *
 * export function shopQueue(given: z.input<typeof options>) {
 *   const { url, prefix } = parseOptions(options, given)
 *   return `${url}/${prefix}`
 * }
 * ```
 */
export function parseOptions<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  { path = '' }: { path?: string | undefined } = {},
): z.output<Schema> {
  const result = schema.safeParse(keepKnown(schema, value, path), ISSUE_OPTIONS)
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new ConfigurationError({
    option: joinPath(path, issue?.path ?? []) || 'options',
    problem: issue === undefined ? 'is invalid' : describeIssue(issue),
  })
}

/** Parameters of `safeParse` for issues that {@link describeIssue} describes. */
export const ISSUE_OPTIONS = { error: describeExpected, reportInput: true }

/** Describes an issue: what was expected, what was received, what to do. */
export function describeIssue({ message, input, code }: z.core.$ZodIssue): string {
  if (!message.startsWith('must ') || message.includes('; received ')) return message
  const [expected, ...advice] = message.split('. ')
  const isPublic = code === 'invalid_value' && typeof input === 'string'
  const received = isPublic ? JSON.stringify(input.slice(0, 80)) : describeType(input)
  return [`${expected}; received ${received}`, ...advice].join('. ')
}

/** Longer timers fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** Duration of a timer, milliseconds. */
export const timerMs = z.custom<number>(
  (value) => isPositive(value) && value <= LONGEST_TIMER_MS,
  `must be a number of milliseconds above zero and up to ${LONGEST_TIMER_MS}`,
)

/** A duration that no timer waits for, milliseconds. */
export const durationMs = z.custom<number>(
  (value) => isPositive(value) && value <= Number.MAX_SAFE_INTEGER,
  `must be a number of milliseconds above zero and up to ${Number.MAX_SAFE_INTEGER}`,
)

/** A number above zero; `Infinity` is one. */
export const positive = z.custom<number>(isPositive, 'must be a number above zero')

function isPositive(value: unknown): value is number {
  return typeof value === 'number' && value > 0
}

/** A function. */
export function functionSchema<Fn>(message = 'must be a function'): z.ZodType<Fn, Fn> {
  return z.custom<Fn>((value) => typeof value === 'function', message)
}

/** An object with these methods, passed on as it is. @param expected for example `an Inbox. Await the function that creates it` */
export function objectWith<Port extends object>(
  expected: string,
  methods: readonly MethodPath<Port>[],
): z.ZodType<Port, Port> {
  const [what, ...advice] = expected.split('. ')
  return z.custom<Port>().superRefine((value: unknown, context) => {
    const missing = methods.filter((method) => typeof readField(value, method) !== 'function')
    if (missing.length === 0) return
    const type = describeType(value)
    const received =
      type === 'an object' || type === 'a promise' ? `${type} without ${missing.join(', ')}` : type
    const message = [`must be ${what}; received ${received}`, ...advice].join('. ')
    context.addIssue({ code: 'custom', message, continue: false })
  })
}

/** A method of a port, or of a group of its methods. */
type MethodPath<Port> = {
  [Name in keyof Port & string]: Name | `${Name}.${keyof Port[Name] & string}`
}[keyof Port & string]

function readField(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce(
      (object: unknown, name) =>
        typeof object === 'object' && object !== null ? Reflect.get(object, name) : undefined,
      value,
    )
}

/** A TON address in any format; becomes canonical. */
export const address = canonicalString('must be a TON address', canonicalAddress)

const TICKER = /^[\p{L}\p{N}.$₮+-]{1,20}$/u

/** `TON`, `GRAM`, or the address of a jetton master; becomes canonical. */
export const asset = canonicalString("must be 'TON' or a jetton master", canonicalAsset, (text) =>
  TICKER.test(text)
    ? `must be 'TON' or the address of a jetton master; received ${JSON.stringify(text)}. Pass the address, since any jetton can use this ticker`
    : undefined,
)

function canonicalString(
  message: string,
  canonical: (text: string) => string,
  describeProblem: (text: string) => string | undefined = () => undefined,
) {
  return z.string(message).transform((text, context) => {
    try {
      return canonical(text)
    } catch (error) {
      if (!(error instanceof AddressError)) throw error
      const problem = describeSettingMistake(text) ?? describeProblem(text) ?? error.message
      const ifEmpty = `${message}. Set the variable or field that it is read from`
      const issue = text.trim() === '' ? ifEmpty : problem
      context.addIssue({ code: 'custom', message: issue, input: text, continue: false })
      return z.NEVER
    }
  })
}

/** Returns the known options of a strict schema that have a value. @throws {ConfigurationError} for an unknown one. */
function keepKnown(schema: z.ZodType, value: unknown, path: string): unknown {
  const shape = strictShape(schema)
  if (shape === undefined || !isObject(value)) return value
  const names = Object.keys(shape)
  const unknownName = Object.keys(value).find(
    (name) => value[name] !== undefined && !names.includes(name),
  )
  if (unknownName !== undefined) {
    const option = joinPath(path, [unknownName])
    const problem = `is not an option here; ${hintForName(unknownName, names)}`
    throw new ConfigurationError({ option, problem })
  }
  const known: Record<string, unknown> = {}
  for (const [name, inner] of Object.entries(shape)) {
    if (value[name] !== undefined) {
      known[name] = keepKnown(inner, value[name], joinPath(path, [name]))
    }
  }
  return known
}

function strictShape(schema: z.core.$ZodType): Record<string, z.ZodType> | undefined {
  const isWrapper =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  if (isWrapper) return strictShape(schema.unwrap())
  const isStrict = schema instanceof z.ZodObject && schema.def.catchall instanceof z.ZodNever
  return isStrict ? (schema.shape as Record<string, z.ZodType>) : undefined
}

function joinPath(path: string, keys: readonly PropertyKey[]): string {
  let joined = path
  for (const key of keys) {
    if (typeof key === 'number') joined += `[${key}]`
    else joined += joined === '' ? String(key) : `.${String(key)}`
  }
  return joined
}

const TYPES: Record<string, string> = {
  array: 'a list',
  bigint: 'a bigint',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a finite number',
  object: 'an object',
  string: 'a string',
}

/** Describes what a schema without a message of its own expects. */
function describeExpected(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPES[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return `must be ${issue.values.length > 2 ? 'one of ' : ''}${quoted(issue.values)}`
    case 'too_small':
      if (isLength(issue.origin))
        return issue.minimum === 1 ? 'must not be empty' : `must be at least ${issue.minimum} long`
      return `must be ${issue.inclusive ? 'at least' : 'above'} ${issue.minimum}`
    case 'too_big':
      if (isLength(issue.origin)) return `must be at most ${issue.maximum} long`
      return `must be ${issue.inclusive ? 'at most' : 'below'} ${issue.maximum}`
    case 'unrecognized_keys':
      return `must not have ${issue.keys.join(', ')}`
    default:
      return 'must be valid'
  }
}

function quoted(values: readonly unknown[]): string {
  const list = values.map((value) => `'${String(value)}'`)
  return list.join(list.length > 2 ? ', ' : ' or ')
}

function isLength(origin: string): boolean {
  return origin === 'string' || origin === 'array'
}
