import { isTonplugError } from '../../shared/tonplug-error.js'
import { storableText } from '../orders/order-key.js'
import { PayloadError } from '../orders/errors.js'
import type { Clock } from '../../shared/clock.js'
import type { Rejection } from './response.js'
import type { ResolvedReceiverOptions } from './options.js'
import {
  decodeUtf8,
  isTransferCompleted,
  parsePayload,
  type TransferData,
  type WebhookPayload,
} from '../orders/payload.js'
import { readHeader, type WebhookRequest } from './request.js'
import { checkResolved, type SecretResolver } from './secrets.js'
import { matchDigest, readSignature } from './signature.js'

/** A delivery with a valid signature. */
interface AuthenticDelivery {
  merchant: string
  signedWith: string
  rawBody: string
  /** The reported transfer, or the reason why it cannot be decided. */
  content: { transfer: TransferData } | (Rejected & { problem: string })
}

/** A rejected request, and the error that caused it. */
export interface Rejected {
  rejection: Rejection
  cause?: unknown
}

/** Checks everything that precedes the body. @returns the digest that the signature claims. */
export function checkHead(
  options: ResolvedReceiverOptions,
  request: WebhookRequest,
): { digest: string } | Rejected {
  const { method, headers } = request
  const { signatureHeaders, signatureEncoding, maxBodyBytes } = options
  if (method !== undefined && method !== 'POST') {
    return { rejection: { kind: 'method_not_allowed', method } }
  }
  const coding = readHeader(headers, 'content-encoding')
  // It is undefined whether the signature covers the bytes before or after compression.
  if (coding !== undefined && !('value' in coding && isIdentity(coding.value))) {
    const encoding = 'value' in coding ? coding.value : 'repeated'
    return { rejection: { kind: 'unsupported_encoding', encoding } }
  }
  const length = readHeader(headers, 'content-length')
  if (length !== undefined && 'value' in length && Number(length.value) > maxBodyBytes) {
    return { rejection: { kind: 'body_too_large', maxBodyBytes } }
  }
  const signature = readSignature(findSignature(request, signatureHeaders), signatureEncoding)
  // Do not read unsigned bodies.
  if ('digest' in signature) return signature
  return { rejection: { kind: 'invalid_signature', reason: signature.reason } }
}

/** Checks the length of a body that the receiver did not read itself. */
export function checkLength(
  rawBody: Uint8Array | string,
  maxBodyBytes: number,
): Rejected | undefined {
  const length =
    typeof rawBody === 'string' ? new TextEncoder().encode(rawBody).length : rawBody.byteLength
  return length > maxBodyBytes ? { rejection: { kind: 'body_too_large', maxBodyBytes } } : undefined
}

/** The secrets that may sign a body, and their merchant. */
type Signers = ReturnType<typeof checkResolved>

/**
 * The other steps before any order is read, in sequence: signature over the exact bytes, payload, event, age. Nothing is
 * parsed before the signature is verified.
 */
export function checkBody(
  options: ResolvedReceiverOptions,
  body: { rawBody: Uint8Array | string; digest: string; signers: Signers },
): AuthenticDelivery | Rejected {
  const { merchant, list: secrets } = body.signers
  const check = matchDigest(body.rawBody, body.digest, {
    secrets,
    encoding: options.signatureEncoding,
  })
  if (!check.isValid) return { rejection: { kind: 'invalid_signature', reason: check.reason } }
  const { rawBody, content } = readAuthentic(options, body.rawBody)
  return { merchant, signedWith: check.secretName, rawBody, content }
}

function isIdentity(encoding: string): boolean {
  return encoding === '' || encoding.trim().toLowerCase() === 'identity'
}

/** Returns the rejection for a body that could not be read. @throws errors that a reader should not throw. */
export function refuseUnread(error: unknown, maxBodyBytes: number): Rejected {
  // By code: the reader may come from another copy of this package.
  switch (isTonplugError(error) ? error.code : undefined) {
    case 'ERR_TONPLUG_BODY_TOO_LARGE':
      return { rejection: { kind: 'body_too_large', maxBodyBytes } }
    case 'ERR_TONPLUG_BODY_INCOMPLETE':
      return { rejection: { kind: 'body_incomplete' } }
    case 'ERR_TONPLUG_RAW_BODY_UNAVAILABLE':
      return { rejection: { kind: 'raw_body_unavailable' }, cause: error }
    default:
      throw error
  }
}

/** Returns the secrets of the request's merchant. */
export async function resolveSecrets(
  resolve: SecretResolver,
  { url, headers }: WebhookRequest,
): Promise<Signers | Rejected> {
  try {
    return checkResolved(await resolve({ url, headers }))
  } catch (error) {
    return { rejection: { kind: 'unavailable', reason: 'secrets' }, cause: error }
  }
}

/** Returns the signature from any of the headers. Two different values are as ambiguous as a repeated header. */
function findSignature(
  { headers }: WebhookRequest,
  names: readonly string[],
): string | readonly string[] | undefined {
  let found: string | undefined
  for (const name of names) {
    const header = readHeader(headers, name)
    if (header === undefined) continue
    if (!('value' in header)) return []
    if (found !== undefined && found !== header.value) return [found, header.value]
    found = header.value
  }
  return found
}

function readAuthentic(
  options: ResolvedReceiverOptions,
  body: Uint8Array | string,
): Pick<AuthenticDelivery, 'rawBody' | 'content'> {
  let rawBody: string | undefined
  let payload: WebhookPayload
  try {
    rawBody = decodeUtf8(body)
    payload = parsePayload(rawBody)
  } catch (cause) {
    if (!(cause instanceof PayloadError)) throw cause
    const rejection: Rejection = { kind: 'malformed_payload', issues: cause.details.issues }
    return unreadable(rawBody ?? toStorableText(body), { rejection, problem: cause.message, cause })
  }
  if (!isTransferCompleted(payload)) {
    const event = payload.event.slice(0, 100)
    const problem = `the event ${JSON.stringify(event)} is not supported`
    return unreadable(rawBody, { rejection: { kind: 'unsupported_event', event }, problem })
  }
  const { maxAgeMs, payments } = options
  if (maxAgeMs !== undefined && isStale(payload.timestamp, maxAgeMs, payments.internals.clock)) {
    const timestamp = payload.timestamp.slice(0, 100)
    const problem = `the timestamp ${JSON.stringify(timestamp)} is beyond maxAgeMs`
    return unreadable(rawBody, { rejection: { kind: 'stale', timestamp }, problem })
  }
  return { rawBody, content: { transfer: payload.data } }
}

function unreadable(
  rawBody: string,
  content: Extract<AuthenticDelivery['content'], { problem: string }>,
): Pick<AuthenticDelivery, 'rawBody' | 'content'> {
  return { rawBody: storableText(rawBody), content }
}

/** Bytes that are not UTF-8 are stored with replacement characters. */
function toStorableText(body: Uint8Array | string): string {
  return typeof body === 'string' ? body : new TextDecoder().decode(body)
}

function isStale(timestamp: string, maxAgeMs: number, clock: Clock): boolean {
  const distanceMs = Math.abs(clock.nowMs() - Date.parse(timestamp))
  // NaN, for an invalid timestamp, is not within any age.
  return !(distanceMs <= maxAgeMs)
}
