import { createHmac } from 'node:crypto'

/** Options of {@link signPayload}. */
export interface SignOptions {
  /** Name of the signature header, or several names. @default 'x-tonpay-signature' */
  header?: string | readonly string[] | undefined
  /** Encoding of the digest after `sha256=`. @default 'hex' */
  encoding?: 'hex' | 'base64' | undefined
}

/** A request body with the headers that make it an authentic delivery. */
export interface SignedPayload<Body extends string | Uint8Array = string> {
  /** Send it unchanged: the signature covers every byte. */
  body: Body
  /** The content type and the signature header. */
  headers: Record<string, string>
  /** The value of the signature header. */
  signature: string
}

/**
 * Signs a webhook body as the gateway does: HMAC-SHA256 over the exact bytes, after `sha256=`.
 * Strings and bytes are signed without a change, any other value as its JSON.
 * @example
 * ```ts
 * import { signPayload, transferCompleted } from '@tonplug/testing'
 *
 * const { body, headers } = signPayload(transferCompleted(), 'whsec_test')
 * await fetch('http://localhost:3000/webhooks/ton', { method: 'POST', headers, body })
 * ```
 */
export function signPayload(
  payload: Uint8Array,
  secret: string,
  options?: SignOptions,
): SignedPayload<Uint8Array>
export function signPayload(
  payload: string | object,
  secret: string,
  options?: SignOptions,
): SignedPayload
export function signPayload(
  payload: string | object,
  secret: string,
  options: SignOptions = {},
): SignedPayload<string | Uint8Array> {
  const { header = 'x-tonpay-signature', encoding = 'hex' } = options
  const body =
    typeof payload === 'string' || payload instanceof Uint8Array ? payload : JSON.stringify(payload)
  const signature = `sha256=${createHmac('sha256', secret).update(body).digest(encoding)}`
  const names = typeof header === 'string' ? [header] : header
  const headers = Object.fromEntries(names.map((name) => [name, signature]))
  return { body, headers: { 'content-type': 'application/json', ...headers }, signature }
}
