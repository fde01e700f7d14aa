import { ConfigurationError } from '../../shared/configuration-error.js'
import type { TonplugError } from '../../shared/tonplug-error.js'

export type Redact = (text: string) => string

/** A shorter key is part of ordinary words and not a secret: it is removed only after the word `key`. */
const SHORTEST_SECRET = 4

/**
 * Returns a function that replaces the key in a string, in any case, also percent-encoded and with escapes of JSON, JavaScript
 * or HTML, each of them possibly several times.
 */
export function createRedact(apiKey: string | undefined): Redact {
  const key = apiKey?.trim() ?? ''
  if (key === '') return (text) => text
  const encodings = Array.from(key, (character) => {
    const [small, capital] = [character.toLowerCase(), character.toUpperCase()].map(hexOf)
    return `\\\\{0,15}(?:[\\x${small}\\x${capital}]|(?:%(?:25)*|u00|x|&#x)(?:${small}|${capital});?)`
  }).join('')
  const isShort = key.length < SHORTEST_SECRET
  const pattern = isShort ? `(?<=key[^a-z0-9]{0,8})${encodings}(?![a-z0-9])` : encodings
  const keys = new RegExp(pattern, 'gi')
  return (text) => text.replace(keys, '[API key]')
}

function hexOf(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(2, '0')
}

/** Returns a copy of an event or of an error's details, without the API key. */
export function redactTexts<Facts extends object>(facts: Facts, redact: Redact): Facts {
  const entries = Object.entries(facts).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'string' ? redact(value) : value,
  ])
  // Values keep their types.
  return Object.fromEntries(entries) as Facts
}

/** Removes the API key from the message, the stack and the details of an error, and returns it. */
export function redactError<E extends TonplugError>(error: E, redact: Redact): E {
  const { message, stack = '', details } = error
  const texts = redactTexts({ message, stack }, redact)
  return Object.assign(error, texts, { details: redactTexts(details, redact) })
}

/**
 * The mistakes of `describeSettingMistake` that a header can contain. Its messages would make clients in browsers larger; no
 * key begins with such a character.
 */
const MISTAKE = /^(?:undefined|null|nan|true|false|[[{$%<"'`].*)$/i

/**
 * Returns the key without surrounding blanks; `undefined` when it is blank.
 * @throws {ConfigurationError} when it can only be a mistake, and unless it is a string that a header can contain. The error
 * of `fetch` would quote the key.
 */
export function readApiKey(apiKey: string | undefined, option = 'apiKey'): string | undefined {
  // A caller without types may pass another type.
  const key = typeof apiKey === 'string' ? apiKey.trim() : apiKey
  if (key === undefined || key === '') return undefined
  if (typeof key === 'string' && /^[\x21-\x7e]+$/.test(key) && !MISTAKE.test(key)) return key
  throw new ConfigurationError({ option, problem: 'must be a valid header, not a placeholder' })
}

const MAX_CAUSES = 5

/**
 * Returns a copy of an error of `fetch` or a limiter: names, messages, codes, stacks and causes, without the API key. Nothing
 * else is kept, since HTTP clients attach whole requests to their errors, with headers.
 */
export function copyCause(error: unknown, redact: Redact, depth = 0): Error {
  if (!(error instanceof Error)) return new Error(redact(String(error)))
  const copy = new Error(redact(error.message))
  copy.name = redact(error.name)
  if (error.stack !== undefined) copy.stack = redact(error.stack)
  const code = readCode(error)
  if (code !== undefined) Object.assign(copy, { code: redact(code) })
  const cause = firstCause(error)
  if (cause !== undefined && depth < MAX_CAUSES) {
    copy.cause = copyCause(cause, redact, depth + 1)
  }
  return copy
}

/** Returns the code of the innermost cause that has one, for example `ECONNRESET`. */
export function deepestCode(error: unknown, depth = 0): string | undefined {
  if (!(error instanceof Error) || depth > MAX_CAUSES) return undefined
  return deepestCode(firstCause(error), depth + 1) ?? readCode(error)
}

function readCode(error: Error): string | undefined {
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

// A connection attempt to several addresses fails with one error per address.
function firstCause(error: Error): unknown {
  return error instanceof AggregateError ? (error.cause ?? error.errors[0]) : error.cause
}
