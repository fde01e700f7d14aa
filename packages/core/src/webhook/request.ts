/** Header names in any case; `Headers`, Node's `IncomingMessage.headers` and a Lambda event's headers all fit. */
export type WebhookHeaders =
  Headers | { readonly [name: string]: string | readonly string[] | undefined }

/** Reads the body of a request, exactly as sent. */
export type BodyReader = (limits: {
  /** More than this throws {@link BodyTooLargeError}. */
  maxBodyBytes: number
  /** Aborted at the deadline; the reader then releases the stream. */
  signal: AbortSignal
}) => Promise<Uint8Array>

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
  rawBody: Uint8Array | string | BodyReader
}

/**
 * Returns the value of a header; names are compared without case.
 * @param name in lower case.
 * @returns `undefined` when absent, `{ isRepeated: true }` when it was sent more than once. `Headers` joins
 * repeated ones with a comma, which no signature contains.
 */
export function readHeader(
  headers: WebhookHeaders,
  name: string,
): { value: string } | { isRepeated: true } | undefined {
  if (isHeaders(headers)) {
    const value = headers.get(name)
    return value === null ? undefined : { value }
  }
  let found: { value: string } | { isRepeated: true } | undefined
  for (const key in headers) {
    // The length first: most names have another one.
    if (key.length !== name.length || key.toLowerCase() !== name) continue
    const value = headers[key]
    if (value === undefined) continue
    if (found !== undefined || typeof value !== 'string') return { isRepeated: true }
    found = { value }
  }
  return found
}

// Not by `instanceof`: some servers have their own `Headers` class.
function isHeaders(headers: WebhookHeaders): headers is Headers {
  return typeof headers.get === 'function'
}
