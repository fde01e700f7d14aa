/**
 * Puts the body where the app's guards and parameters look for it: `rawBody` is the bytes, `body` the parsed JSON, or
 * the bytes when they are none. It is parsed when somebody asks, which nobody does for a webhook.
 */
export function offerBody(request: object, rawBody: Buffer): void {
  let parsed: { body: unknown } | undefined
  Object.defineProperties(request, {
    rawBody: { configurable: true, enumerable: true, writable: true, value: rawBody },
    body: {
      configurable: true,
      enumerable: true,
      get: () => (parsed ??= { body: parseJson(rawBody) }).body,
      set(body: unknown) {
        parsed = { body }
      },
    },
  })
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return bytes
  }
}
