import type { IncomingMessage } from 'node:http'
import { ConfigurationError } from '@tonplug/core'

/**
 * Keeps the exact bytes of signed requests in `req.rawBody` while a body parser reads them. A request counts as signed if
 * the value of any header begins with `sha256=`; a receiver rejects all others without reading their bytes.
 * @remarks A body that the parser rejects never reaches the webhook; {@link keepRawBody} does not have this limitation.
 * @throws {ConfigurationError} when it is mounted as a middleware.
 * @example
 * ```ts
 * app.use(express.json({ verify: keepRawBodyInParser }))
 * app.post('/webhooks/ton', tonplugWebhook(receiver))
 * ```
 */
export function keepRawBodyInParser(
  request: IncomingMessage & { rawBody?: unknown },
  _response: unknown,
  bytes: Buffer,
): void {
  // `app.use(keepRawBodyInParser)` passes `next`, and every request of the app would wait indefinitely.
  if (typeof bytes === 'function') {
    const problem =
      'is not a middleware; pass it to a parser: express.json({ verify: keepRawBodyInParser })'
    throw new ConfigurationError({ option: 'keepRawBodyInParser', problem })
  }
  if (hasSignature(request)) request.rawBody = bytes
}

function hasSignature({ headers }: IncomingMessage): boolean {
  return Object.values(headers).some(
    (value) => typeof value === 'string' && value.startsWith('sha256='),
  )
}
