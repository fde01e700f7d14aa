import { ConfigurationError } from '../../shared/configuration-error.js'
import type { RawBytes } from './raw-bytes.js'

/**
 * Header names in any case; `Headers`, Node's `IncomingMessage.headers`, and `headers` or `multiValueHeaders` of a Lambda event
 * all fit.
 */
export type WebhookHeaders =
  Headers | { readonly [name: string]: string | readonly string[] | undefined }

/** Reads the body of a request, exactly as sent. */
export type BodyReader = (limits: {
  /** More than this throws {@link BodyTooLargeError}. */
  maxBodyBytes: number
  /** Aborted at the deadline; the reader then releases the stream. */
  signal: AbortSignal
}) => Promise<Uint8Array | ArrayBuffer>

/** One request to the webhook route, from any framework. */
export interface WebhookRequest {
  /** @default 'POST' */
  method?: string | undefined
  /** Path and query, or the whole URL; passed to a secret resolver, otherwise unused. */
  url?: string | undefined
  headers: WebhookHeaders
  /** Delay of the request before it reached the receiver; subtracted from the deadline. @default 0 */
  elapsedMs?: number | undefined
  /** The exact bytes; a string is encoded as UTF-8; a reader is called only when the headers are valid. */
  rawBody: RawBytes | BodyReader
}

/**
 * Returns the value of a header; names are compared without case.
 * @param name in lower case.
 * @returns `undefined` when absent, `{ isRepeated: true }` when it was sent more than once. `Headers` joins
 * repeated ones with a comma, which no signature contains. A list with one value is that value.
 * @throws {ConfigurationError} for a value that is an object, as in the events of Lambda@Edge.
 */
export function readHeader(
  headers: WebhookHeaders,
  name: string,
): { value: string } | { isRepeated: true } | undefined {
  if (isHeaders(headers)) {
    // The headers of some servers return `undefined`, and lists of values.
    return readValue(headers.get(name), name)
  }
  let found: { value: string } | { isRepeated: true } | undefined
  for (const key in headers) {
    // The length first: most names have another one.
    if (key.length !== name.length || key.toLowerCase() !== name) continue
    const value = readValue(headers[key], name)
    if (value === undefined) continue
    if (found !== undefined || 'isRepeated' in value) return { isRepeated: true }
    found = value
  }
  return found
}

function readValue(
  given: unknown,
  name: string,
): { value: string } | { isRepeated: true } | undefined {
  if (typeof given === 'string') return { value: given }
  if (given === undefined || given === null) return undefined
  const values: readonly unknown[] = Array.isArray(given) ? given : [given]
  if (values.some((value) => typeof value === 'object' && value !== null)) {
    const problem = `must have strings or lists of strings as values; received an object for ${name}`
    throw new ConfigurationError({ option: 'headers', problem })
  }
  const [value] = values
  if (values.length === 0) return undefined
  return values.length === 1 && typeof value === 'string' ? { value } : { isRepeated: true }
}

// Not by `instanceof`: some servers have their own `Headers` class.
function isHeaders(headers: WebhookHeaders): headers is Headers {
  return typeof headers.get === 'function'
}
