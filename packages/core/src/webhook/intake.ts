import { ConfigurationError } from '../errors/configuration.js'
import { isTonplugError } from '../errors/tonplug-error.js'
import { PayloadError } from '../errors/webhook.js'
import type { Clock } from '../runtime/clock.js'
import type { Refusal } from './answer.js'
import {
  decodeUtf8,
  isTransferCompleted,
  parsePayload,
  type TransferData,
  type WebhookPayload,
} from './payload.js'
import { readHeader, type WebhookRequest } from './request.js'
import { nameSecrets, type NamedSecret, type SecretResolver } from './secrets.js'
import { matchDigest, readSignature, type SignatureEncoding } from './signature.js'

export interface IntakeOptions {
  secrets: readonly NamedSecret[] | SecretResolver
  /** Lower-case. */
  signatureHeaders: readonly string[]
  signatureEncoding: SignatureEncoding
  maxBodyBytes: number
  maxAgeMs: number | undefined
  clock: Clock
}

/** A delivery whose signature holds and whose payload is a transfer. */
interface AuthenticDelivery {
  kind: 'authentic'
  transfer: TransferData
  rawBody: string
  signedWith: string
}

interface Refused {
  kind: 'refused'
  refusal: Refusal
  cause?: unknown
}

/** The bytes of a request, and what its signature says of them. */
export interface UncheckedBody {
  kind: 'unchecked'
  rawBody: Uint8Array | string
  digest: string
}

/** The first steps: head of the request with the signature's form, and body. */
export async function readBody(
  options: IntakeOptions,
  request: WebhookRequest,
  signal: AbortSignal,
): Promise<UncheckedBody | Refused> {
  const { maxBodyBytes, signatureEncoding: encoding } = options
  const headRefusal = checkHead(request, maxBodyBytes)
  if (headRefusal !== undefined) return refused(headRefusal)
  const signature = readSignature(findSignature(request, options.signatureHeaders), encoding)
  // What nobody signed is not worth reading.
  if (!('digest' in signature)) {
    return refused({ kind: 'invalid_signature', reason: signature.reason })
  }
  let { rawBody } = request
  if (typeof rawBody === 'function') {
    try {
      rawBody = await rawBody({ maxBodyBytes, signal })
    } catch (error) {
      return refuseUnread(error, maxBodyBytes)
    }
  } else if (lengthOf(rawBody) > maxBodyBytes) {
    return refused({ kind: 'body_too_large', maxBodyBytes })
  }
  return { kind: 'unchecked', rawBody, digest: signature.digest }
}

/**
 * The other steps that come before any order is looked at, in their order: signature over the exact bytes, payload, event,
 * age. Nothing is parsed before the signature holds; nothing is stored.
 */
export async function checkBody(
  options: IntakeOptions,
  request: WebhookRequest,
  { rawBody, digest }: UncheckedBody,
): Promise<AuthenticDelivery | Refused> {
  const secrets =
    typeof options.secrets === 'function'
      ? await askForSecrets(options.secrets, request)
      : { list: options.secrets }
  if (!('list' in secrets)) return secrets
  const { signatureEncoding: encoding } = options
  const check = matchDigest(rawBody, digest, { secrets: secrets.list, encoding })
  if (!check.isValid) return refused({ kind: 'invalid_signature', reason: check.reason })
  return readAuthentic(options, rawBody, check.secretName)
}

function refused(refusal: Refusal, cause?: unknown): Refused {
  return { kind: 'refused', refusal, cause }
}

function checkHead({ method, headers }: WebhookRequest, maxBodyBytes: number): Refusal | undefined {
  if (method !== undefined && method !== 'POST') return { kind: 'method_not_allowed', method }
  const encoding = readHeader(headers, 'content-encoding')
  // The signature would cover the bytes before or after compression; nothing says which.
  if (encoding !== undefined && !('value' in encoding && isIdentity(encoding.value))) {
    return {
      kind: 'unsupported_encoding',
      encoding: 'value' in encoding ? encoding.value : 'repeated',
    }
  }
  const length = readHeader(headers, 'content-length')
  if (length !== undefined && 'value' in length && Number(length.value) > maxBodyBytes) {
    return { kind: 'body_too_large', maxBodyBytes }
  }
  return undefined
}

function isIdentity(encoding: string): boolean {
  return encoding === '' || encoding.trim().toLowerCase() === 'identity'
}

/** @throws {ConfigurationError} for what JavaScript callers give in place of the bytes. */
function lengthOf(rawBody: Uint8Array | string): number {
  if (typeof rawBody !== 'string' && !ArrayBuffer.isView(rawBody)) throw notBytes(rawBody)
  return typeof rawBody === 'string' ? new TextEncoder().encode(rawBody).length : rawBody.length
}

function notBytes(rawBody: unknown): ConfigurationError {
  const found = rawBody === null ? 'null' : typeof rawBody
  const problem = `is ${found}; give the exact bytes or text of the body, and for a Node request that nobody has read readNodeBody(request)`
  return new ConfigurationError({ option: 'rawBody', problem })
}

/** What it means that a body could not be read. @throws what no reader should. */
function refuseUnread(error: unknown, maxBodyBytes: number): Refused {
  // By code: the reader may come from another copy of this package.
  switch (isTonplugError(error) ? error.code : undefined) {
    case 'ERR_TONPLUG_BODY_TOO_LARGE':
      return refused({ kind: 'body_too_large', maxBodyBytes })
    case 'ERR_TONPLUG_BODY_INCOMPLETE':
      return refused({ kind: 'body_incomplete' })
    case 'ERR_TONPLUG_RAW_BODY_UNAVAILABLE':
      return refused({ kind: 'raw_body_unavailable' }, error)
    default:
      throw error
  }
}

async function askForSecrets(
  resolve: SecretResolver,
  { url, headers }: WebhookRequest,
): Promise<{ list: readonly NamedSecret[] } | Refused> {
  try {
    return { list: nameSecrets(await resolve({ url, headers })) }
  } catch (error) {
    return refused({ kind: 'unavailable', reason: 'secrets' }, error)
  }
}

/** The signature, wherever it stands. Two headers that differ are as ambiguous as one that is repeated. */
function findSignature(
  { headers }: WebhookRequest,
  names: readonly string[],
): string | readonly string[] | undefined {
  const values: string[] = []
  for (const name of names) {
    const header = readHeader(headers, name)
    if (header === undefined) continue
    if (!('value' in header)) return []
    values.push(header.value)
  }
  const [first] = values
  return values.every((value) => value === first) ? first : values
}

function readAuthentic(
  options: IntakeOptions,
  rawBody: Uint8Array | string,
  signedWith: string,
): AuthenticDelivery | Refused {
  let payload: WebhookPayload
  let text: string
  try {
    text = decodeUtf8(rawBody)
    payload = parsePayload(text)
  } catch (error) {
    if (!(error instanceof PayloadError)) throw error
    return refused({ kind: 'malformed_payload', issues: error.details.issues }, error)
  }
  if (!isTransferCompleted(payload)) {
    return refused({ kind: 'unsupported_event', event: payload.event.slice(0, 100) })
  }
  if (isStale(payload.timestamp, options)) {
    return refused({ kind: 'stale', timestamp: payload.timestamp.slice(0, 100) })
  }
  return { kind: 'authentic', transfer: payload.data, rawBody: text, signedWith }
}

function isStale(timestamp: string, { maxAgeMs, clock }: IntakeOptions): boolean {
  if (maxAgeMs === undefined) return false
  const distanceMs = Math.abs(clock.nowMs() - Date.parse(timestamp))
  // NaN, for a text that is no time, is not within any age.
  return !(distanceMs <= maxAgeMs)
}
