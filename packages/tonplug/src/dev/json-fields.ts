import { PageRequestError } from './page-request-error.js'

/** The fields of a JSON object, of any type. */
export type JsonFields = Readonly<Record<string, unknown>>

/** Parses the fields of a body. @throws {PageRequestError} when it is not a JSON object. */
export function readFields(text: string): JsonFields {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  } catch {
    // Handled like any value other than an object.
  }
  throw new PageRequestError(400, 'The body is not a JSON object.')
}

/** Reads a string. @throws {PageRequestError} when it is missing or has another type. */
export function readText(fields: JsonFields, name: string): string {
  const value = fields[name]
  if (typeof value === 'string') return value
  throw new PageRequestError(400, `${name} must be a string.`)
}

/** Reads one of the allowed strings. @throws {PageRequestError} for any other value. */
export function readChoice<T extends string>(
  fields: JsonFields,
  name: string,
  choices: readonly T[],
): T {
  const chosen = choices.find((choice) => choice === fields[name])
  if (chosen !== undefined) return chosen
  throw new PageRequestError(400, `${name} must be one of ${choices.join(', ')}.`)
}

/** Reads a whole number within bounds. @throws {PageRequestError} for any other value. */
export function readCount(
  fields: JsonFields,
  name: string,
  { least, most }: { least: number; most: number },
): number {
  const value = fields[name]
  const isCount = typeof value === 'number' && Number.isInteger(value)
  if (isCount && value >= least && value <= most) return value
  throw new PageRequestError(400, `${name} must be a whole number from ${least} to ${most}.`)
}

/** Reads an optional flag. @throws {PageRequestError} when it is not a boolean. @default false */
export function readFlag(fields: JsonFields, name: string): boolean {
  const { [name]: value = false } = fields
  if (typeof value === 'boolean') return value
  throw new PageRequestError(400, `${name} must be true or false.`)
}
