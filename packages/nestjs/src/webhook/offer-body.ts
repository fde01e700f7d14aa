const BODY = Symbol('tonplug:body')

/** A request that was offered its body. */
interface OfferedRequest {
  [BODY]: { readonly bytes: Buffer; parsed?: { value: unknown } }
}

// The same for all requests: with functions of its own each would be slow to look at ever after.
const body: PropertyDescriptor & ThisType<OfferedRequest> = {
  configurable: true,
  enumerable: true,
  get() {
    const offered = this[BODY]
    offered.parsed ??= { value: parseJson(offered.bytes) }
    return offered.parsed.value
  },
  set(value: unknown) {
    this[BODY].parsed = { value }
  },
}

/**
 * Puts the body where the app's guards and parameters look for it: `rawBody` is the bytes, `body` the parsed JSON, or
 * the bytes when they are none. It is parsed when somebody asks, which nobody does for a webhook.
 */
export function offerBody(request: object, rawBody: Buffer): void {
  Object.assign(request, { rawBody, [BODY]: { bytes: rawBody } })
  Object.defineProperty(request, 'body', body)
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return bytes
  }
}
