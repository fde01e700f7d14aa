import { ConfigurationError } from '../errors/configuration.js'
import type { TonplugError } from '../errors/tonplug-error.js'

/** Takes the API key out of a text. */
export type Redact = (text: string) => string

/** A shorter key is a part of ordinary words, and no secret: it is taken out only where it stands behind `key`. */
const SHORTEST_SECRET = 4

/** @param apiKey the key, if there is one. It is found in either case, percent-encoded and with the escapes of JSON. */
export function createRedact(apiKey: string | undefined): Redact {
  const key = apiKey?.trim() ?? ''
  if (key === '') return (text) => text
  const spelling = Array.from(key, (character) => {
    const [small, capital] = [character.toLowerCase(), character.toUpperCase()].map(hexOf)
    return `(?:[\\x${small}\\x${capital}]|(?:%|\\\\+u00)(?:${small}|${capital}))`
  }).join('')
  const isShort = key.length < SHORTEST_SECRET
  const pattern = isShort ? `(?<=key[^a-z0-9]{0,8})${spelling}(?![a-z0-9])` : spelling
  const keys = new RegExp(pattern, 'gi')
  return (text) => text.replace(keys, '[API key]')
}

function hexOf(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(2, '0')
}

/** A copy of an event or of an error's details, the API key taken out of its texts. */
export function redactTexts<Facts extends object>(facts: Facts, redact: Redact): Facts {
  const entries = Object.entries(facts).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'string' ? redact(value) : value,
  ])
  // The same names with values of the same types.
  return Object.fromEntries(entries) as Facts
}

/** The same error, the API key taken out of all that it says. */
export function redactError<E extends TonplugError>(error: E, redact: Redact): E {
  const { message, stack = '', details } = error
  const texts = redactTexts({ message, stack }, redact)
  return Object.assign(error, texts, { details: redactTexts(details, redact) })
}

/**
 * The key as it is sent: without surrounding blanks; `undefined` when nothing else is there.
 * @throws {ConfigurationError} when it holds what a header cannot carry. `fetch` would quote it in its own error.
 */
export function readApiKey(apiKey: string | undefined): string | undefined {
  const key = apiKey?.trim() ?? ''
  if (key === '') return undefined
  if (/^[\x21-\x7e]+$/.test(key)) return key
  const problem = 'holds a blank or another character that no key has'
  throw new ConfigurationError({ option: 'apiKey', problem })
}

const DEEPEST_CAUSE = 5

/**
 * A copy of what `fetch` or a limiter threw: names, messages, codes, stacks and causes, the API key taken out.
 * Nothing else is kept, since HTTP clients hang whole requests on their errors, headers included.
 */
export function copyCause(error: unknown, redact: Redact, depth = 0): Error {
  if (!(error instanceof Error)) return new Error(redact(String(error)))
  const copy = new Error(redact(error.message))
  copy.name = error.name
  if (error.stack !== undefined) copy.stack = redact(error.stack)
  const code = readCode(error)
  if (code !== undefined) Object.assign(copy, { code: redact(code) })
  const cause = firstCause(error)
  if (cause !== undefined && depth < DEEPEST_CAUSE) {
    copy.cause = copyCause(cause, redact, depth + 1)
  }
  return copy
}

/** The code nearest to the root of an error, as in `ECONNRESET`. */
export function deepestCode(error: unknown, depth = 0): string | undefined {
  if (!(error instanceof Error) || depth > DEEPEST_CAUSE) return undefined
  return deepestCode(firstCause(error), depth + 1) ?? readCode(error)
}

function readCode(error: Error): string | undefined {
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

// A connection that was tried at several addresses fails with one error for each.
function firstCause(error: Error): unknown {
  return error instanceof AggregateError ? (error.cause ?? error.errors[0]) : error.cause
}
