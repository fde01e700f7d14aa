import type { IncomingMessage } from 'node:http'
import { ConfigurationError } from '@tonplug/core'

/**
 * Keeps the exact bytes of signed requests on `req.rawBody` while a body parser reads them: of those with a header,
 * whatever its name, whose value begins with `sha256=`. A receiver refuses all others without looking at their bytes.
 * @remarks A body that the parser refuses never reaches the webhook; {@link captureRawBody} has no such gap.
 * @throws {ConfigurationError} when it is mounted as a middleware.
 * @example
 * ```ts
 * app.use(express.json({ verify: saveRawBody }))
 * app.post('/webhooks/ton', tonplugWebhook(receiver))
 * ```
 */
export function saveRawBody(
  request: IncomingMessage & { rawBody?: unknown },
  _response: unknown,
  bytes: Buffer,
): void {
  // `app.use(saveRawBody)` comes with `next`, and every request of the app would wait for ever.
  if (typeof bytes === 'function') {
    const problem =
      'is not a middleware; give it to a parser: express.json({ verify: saveRawBody })'
    throw new ConfigurationError({ option: 'saveRawBody', problem })
  }
  if (hasSignature(request)) request.rawBody = bytes
}

function hasSignature({ headers }: IncomingMessage): boolean {
  return Object.values(headers).some(
    (value) => typeof value === 'string' && value.startsWith('sha256='),
  )
}
