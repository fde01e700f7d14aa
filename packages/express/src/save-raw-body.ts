import type { IncomingMessage } from 'node:http'
import { SIGNATURE_HEADERS } from '@tonplug/core'
import { isSigned } from './is-signed.js'

/**
 * Keeps the exact bytes of signed requests on `req.rawBody` while a body parser reads them.
 * @remarks A body that the parser refuses never reaches the webhook; {@link captureRawBody} has no such gap.
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
  if (isSigned(request.headers, SIGNATURE_HEADERS)) request.rawBody = bytes
}
