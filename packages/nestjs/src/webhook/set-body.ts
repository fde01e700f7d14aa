const BODY = Symbol('tonplug:body')

interface RequestWithBody {
  [BODY]: { readonly bytes: Buffer; parsed?: { value: unknown } }
}

// One descriptor for all requests: own accessors for each request would make every later property access slow.
const body: PropertyDescriptor & ThisType<RequestWithBody> = {
  configurable: true,
  enumerable: true,
  get() {
    const stored = this[BODY]
    stored.parsed ??= { value: parseJson(stored.bytes) }
    return stored.parsed.value
  },
  set(value: unknown) {
    this[BODY].parsed = { value }
  },
}

/**
 * Sets `rawBody` to the bytes and `body` to the parsed JSON, or to the bytes if they are not JSON, for guards and parameters
 * of the app. The JSON is parsed on first access, because the webhook itself does not need it.
 */
export function setBody(request: object, rawBody: Buffer): void {
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
