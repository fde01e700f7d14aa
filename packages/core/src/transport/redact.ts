import { ConfigurationError } from '../errors/configuration.js'

/** Takes the API key out of a text. */
export type Redact = (text: string) => string

// Anything shorter is no key of the service, and would take common words out of texts.
const SHORTEST_KEY = 8

/** @param apiKey the key, if there is one. */
export function createRedact(apiKey: string | undefined): Redact {
  if (apiKey === undefined || apiKey.length < SHORTEST_KEY) return (text) => text
  return (text) => text.replaceAll(apiKey, '[API key]')
}

/**
 * The key as it is sent: without surrounding blanks; `undefined` when nothing else is there.
 * @throws {ConfigurationError} when it holds what a header cannot carry. `fetch` would quote it in its own error.
 */
export function readApiKey(apiKey: string | undefined): string | undefined {
  const key = apiKey?.trim() ?? ''
  if (key === '') return undefined
  if (/^[\x21-\x7e]+$/.test(key)) return key
  const problem = 'holds a blank, a line break or another character that no key has'
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
