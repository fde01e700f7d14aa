import type { IncomingMessage } from 'node:http'
import { PageRequestError } from './page-request-error.js'

/** The page may load resources of its own origin only, and must not be framed. */
export const SECURITY_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

/**
 * Rejects requests with another host name, to prevent DNS rebinding.
 * @throws {PageRequestError} with status 421.
 */
export function checkHost({ headers, socket }: IncomingMessage): void {
  const port = socket.localPort
  const names = ['127.0.0.1', 'localhost'].flatMap((name) =>
    port === 80 ? [name, `${name}:80`] : [`${name}:${port}`],
  )
  if (names.includes(headers.host?.toLowerCase() ?? '')) return
  throw new PageRequestError(421, `This page is available only at http://127.0.0.1:${port}.`)
}

/**
 * Rejects requests of pages from other origins. Other programs send no `origin`.
 * @throws {PageRequestError} with status 403, or 415 for a POST without a preflight request.
 */
export function checkSameOrigin({ method, headers }: IncomingMessage): void {
  const { origin, host, 'sec-fetch-site': site = 'same-origin' } = headers
  const isForeign = origin !== undefined && origin.toLowerCase() !== `http://${host?.toLowerCase()}`
  if (isForeign || !['same-origin', 'none'].includes(String(site))) {
    throw new PageRequestError(403, 'Pages of other origins are not allowed.')
  }
  if (method === 'POST' && !/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) {
    throw new PageRequestError(415, 'Send application/json.')
  }
}
