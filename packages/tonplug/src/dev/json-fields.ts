import { PageRequestError } from './page-request-error.js'

/** The fields of a JSON object, of any type. */
export type JsonFields = Readonly<Record<string, unknown>>

/** The fields of a body. @throws {PageRequestError} when it is no JSON object. */
export function readFields(text: string): JsonFields {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  } catch {
    // As for what is no object.
  }
  throw new PageRequestError(400, 'The body is not a JSON object.')
}

/** A text. @throws {PageRequestError} when it is none. */
export function readText(fields: JsonFields, name: string): string {
  const value = fields[name]
  if (typeof value === 'string') return value
  throw new PageRequestError(400, `${name} is not a text.`)
}

/** One of these texts. @throws {PageRequestError} when it is another. */
export function readChoice<T extends string>(
  fields: JsonFields,
  name: string,
  choices: readonly T[],
): T {
  const chosen = choices.find((choice) => choice === fields[name])
  if (chosen !== undefined) return chosen
  throw new PageRequestError(400, `${name} is one of ${choices.join(', ')}.`)
}

/** A whole number within its bounds. @throws {PageRequestError} when it is none. */
export function readCount(
  fields: JsonFields,
  name: string,
  { least, most }: { least: number; most: number },
): number {
  const value = fields[name]
  const isCount = typeof value === 'number' && Number.isInteger(value)
  if (isCount && value >= least && value <= most) return value
  throw new PageRequestError(400, `${name} is a whole number from ${least} to ${most}.`)
}

/** Whether a flag is set; it is not where it is left out. @throws {PageRequestError} when it is no boolean. */
export function readFlag(fields: JsonFields, name: string): boolean {
  const { [name]: value = false } = fields
  if (typeof value === 'boolean') return value
  throw new PageRequestError(400, `${name} is true or false.`)
}
