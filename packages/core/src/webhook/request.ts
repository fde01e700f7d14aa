import type { Answer } from './answer.js'

/** Header names in any case; `Headers`, Node's `IncomingMessage.headers` and a Lambda event's headers all fit. */
export type WebhookHeaders =
  Headers | { readonly [name: string]: string | readonly string[] | undefined }

/** Reads the body of a request, exactly as sent. */
export type BodyReader = (limits: {
  /** More than this throws {@link BodyTooLargeError}. */
  maxBodyBytes: number
  /** Aborted when there is no more time; the reader lets go of the stream. */
  signal: AbortSignal
}) => Promise<Uint8Array>

/** One request to the webhook route, from whichever framework. */
export interface WebhookRequest {
  /** @default 'POST' */
  method?: string | undefined
  /** Path and query, or the whole URL; handed to a secret resolver, otherwise unused. */
  url?: string | undefined
  headers: WebhookHeaders
  /** How long the request was held up before it came here; taken off the deadline. @default 0 */
  elapsedMs?: number | undefined
  /** The exact bytes; text stands for its UTF-8 bytes; a reader is called only when the headers pass. */
  rawBody: Uint8Array | string | BodyReader
  /**
   * For frameworks in which a request passes guards between its body and its route. Called when the body is read, before
   * anything is decided: the receiver goes on when `decide` is called, once, in the async context of that call.
   * @returns what `decide` does; `undefined` when the request ended on the way, which is refused as incomplete.
   */
  hold?: ((decide: () => Promise<Answer>) => Promise<Answer | undefined>) | undefined
}

/**
 * The value of a header, whatever the case of its name.
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

// Not `instanceof`: some servers bring a `Headers` of their own.
function isHeaders(headers: WebhookHeaders): headers is Headers {
  return typeof headers.get === 'function'
}
