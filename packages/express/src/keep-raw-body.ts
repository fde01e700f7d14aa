import type { IncomingMessage } from 'node:http'
import { ConfigurationError } from '@tonplug/core'

/**
 * Keeps the exact bytes of signed requests in `req.rawBody` while a body parser reads them: the option `verify` of the parser. A
 * request counts as signed if the value of any header begins with `sha256=`; a receiver rejects all others without reading
 * their bytes.
 * @remarks A body that the parser rejects never reaches the webhook. A webhook that is mounted before the parser has no such
 * limitation.
 * @throws {ConfigurationError} when it is mounted as a middleware.
 * @example
 * ```ts
 * app.use(express.json({ verify: keepRawBody }))
 * app.post('/webhooks/ton', tonplugWebhook(receiver))
 * ```
 */
export function keepRawBody(
  request: IncomingMessage & { rawBody?: unknown },
  _response: unknown,
  bytes: Buffer,
): void {
  // `app.use(keepRawBody)` passes `next`, and every request of the app would wait indefinitely.
  if (typeof bytes === 'function') {
    const problem =
      'is not a middleware; pass it to a parser: express.json({ verify: keepRawBody })'
    throw new ConfigurationError({ option: 'keepRawBody', problem })
  }
  const values = Object.values(request.headers)
  if (values.some((value) => typeof value === 'string' && value.startsWith('sha256='))) {
    request.rawBody = bytes
  }
}
