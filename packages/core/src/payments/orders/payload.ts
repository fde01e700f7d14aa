import { z } from 'zod'
import { isObject } from '../../shared/is-object.js'
import { parseShallowJson } from '../../shared/shallow-json.js'
import { lazy } from '../../shared/lazy.js'
import { PayloadError, type PayloadIssue } from './errors.js'
import { reportedReference, storableText } from './order-key.js'

const SCHEMAS = lazy(() => {
  const text = z.string().overwrite(storableText)
  const identifier = text.min(1).max(1024)
  const storedReference = z.string().max(1024).overwrite(reportedReference)
  const reference = z.string().min(1).max(1024).overwrite(reportedReference)
  // Descriptive fields: a payment must not be lost because one is missing or has an unexpected type.
  const descriptive = text.catch('')
  const optionalText = text.optional().catch(undefined)
  const optionalNumber = z.number().optional().catch(undefined)
  const optionalFlag = z.boolean().optional().catch(undefined)

  const transferData = z.looseObject({
    amount: descriptive,
    rawAmount: text,
    senderAddr: descriptive,
    recipientAddr: text,
    asset: text,
    assetTicker: optionalText,
    status: text,
    reference,
    bodyBase64Hash: descriptive,
    txHash: identifier,
    traceId: descriptive,
    commentToSender: optionalText,
    commentToRecipient: optionalText,
    /** True for a transfer that was found on the chain with a comment that only payer and recipient can read. */
    isCommentEncrypted: optionalFlag,
    date: descriptive,
    errorCode: optionalNumber,
    errorMessage: optionalText,
  })

  const envelope = z.looseObject({
    event: z.string(),
    timestamp: z.string().catch(''),
    data: z.unknown(),
  })
  const transferCompleted = envelope.extend({
    event: z.literal('transfer.completed'),
    data: transferData,
  })
  const storedTransfer = transferCompleted.extend({
    data: transferData.extend({ reference: storedReference }),
  })
  return { envelope, transferCompleted, storedTransfer }
})

/**
 * A transfer as reported by a webhook. Names and values as on the wire: `rawAmount` is base units in decimal digits,
 * addresses are in any format, `date` is ISO 8601. Only `reference`, `txHash`, `status`, `rawAmount`, `asset` and
 * `recipientAddr` are required; the other strings are `''` when missing. Unknown fields are kept; NUL and lone
 * surrogates in a known one become U+FFFD. The reference is `''` when the transfer was found on the chain and names no
 * order, and when it has characters that no order's reference can have.
 * Source: webhook description, part 2.
 */
export interface TransferData {
  amount: string
  rawAmount: string
  senderAddr: string
  recipientAddr: string
  asset: string
  assetTicker?: string | undefined
  status: string
  reference: string
  bodyBase64Hash: string
  txHash: string
  traceId: string
  commentToSender?: string | undefined
  commentToRecipient?: string | undefined
  /** True for a transfer that was found on the chain with a comment that only payer and recipient can read. */
  isCommentEncrypted?: boolean | undefined
  date: string
  errorCode?: number | undefined
  errorMessage?: string | undefined
  [unknownField: string]: unknown
}

/** The fields of a transfer that have a description. */
export type KnownField = keyof {
  [Field in keyof TransferData as string extends Field ? never : Field]: unknown
}

/** The body of a webhook. */
export type WebhookPayload =
  | {
      event: 'transfer.completed'
      /** ISO 8601. */
      timestamp: string
      data: TransferData
      [unknownField: string]: unknown
    }
  /** `transfer.refunded` is announced without a description of its data; any other event is undocumented. */
  | {
      event: 'transfer.refunded' | (string & {})
      timestamp: string
      data: unknown
      [unknownField: string]: unknown
    }

type TransferCompletedPayload = Extract<WebhookPayload, { event: 'transfer.completed' }>

/** Returns true for the one event whose data is described. */
export function isTransferCompleted(
  payload: WebhookPayload,
): payload is Extract<WebhookPayload, { event: 'transfer.completed' }> {
  return payload.event === 'transfer.completed'
}

/**
 * Parses the body of a webhook whose signature was verified.
 * @throws {PayloadError} when it is not UTF-8, not JSON, or not a payload.
 */
export function parsePayload(rawBody: Uint8Array | string): WebhookPayload {
  const body = decodeUtf8(rawBody)
  const json = parseJson(body)
  if (isPlain(json, body)) return json
  const isCompleted = isObject(json) && json['event'] === 'transfer.completed'
  return check(SCHEMAS()[isCompleted ? 'transferCompleted' : 'envelope'], json)
}

/**
 * Parses the body of a webhook that was stored.
 * @throws {PayloadError} when it is not a `transfer.completed` payload.
 */
export function readTransfer(rawBody: string): TransferData {
  const payload = parsePayload(rawBody)
  if (isTransferCompleted(payload)) return payload.data
  const problem = `expected transfer.completed, received ${payload.event.slice(0, 100)}`
  throw new PayloadError({ issues: [{ path: 'event', problem }] })
}

/** Parses the body of a report that was read before. Its reference may be `''`. */
export function readStoredTransfer(rawBody: string): TransferData {
  const json = parseJson(rawBody)
  return isPlain(json, rawBody) ? json.data : check(SCHEMAS().storedTransfer, json).data
}

const ESCAPES = /\\u(?:0000|d[89a-f])/i

/** Most bodies have no escaped character at all, which is found faster than a pattern. */
function hasEscapes(body: string): boolean {
  return body.includes('\\u') && ESCAPES.test(body)
}

/**
 * Returns true when the schema would accept a payload unchanged, faster than the schema. For any other payload
 * the schema decides.
 */
function isPlain(json: unknown, body: string): json is TransferCompletedPayload {
  // In JSON of UTF-8, NUL and lone surrogates can only be escaped.
  if (!isObject(json) || hasEscapes(body)) return false
  const { event, timestamp, data } = json
  if (event !== 'transfer.completed' || typeof timestamp !== 'string') return false
  // The schema leaves a field of this name out.
  if (!isObject(data) || Object.hasOwn(json, '__proto__') || Object.hasOwn(data, '__proto__')) {
    return false
  }
  return isPlainTransfer(data)
}

/** Checks each field of the schema by its name: a loop over the names costs a fifth of `JSON.parse`. */
function isPlainTransfer(data: { readonly [Field in KnownField]?: unknown }): boolean {
  return (
    typeof data.amount === 'string' &&
    typeof data.rawAmount === 'string' &&
    typeof data.senderAddr === 'string' &&
    typeof data.recipientAddr === 'string' &&
    typeof data.asset === 'string' &&
    isOptionalText(data.assetTicker) &&
    typeof data.status === 'string' &&
    isShortText(data.reference) &&
    typeof data.bodyBase64Hash === 'string' &&
    isShortText(data.txHash) &&
    typeof data.traceId === 'string' &&
    isOptionalText(data.commentToSender) &&
    isOptionalText(data.commentToRecipient) &&
    (data.isCommentEncrypted === undefined || typeof data.isCommentEncrypted === 'boolean') &&
    typeof data.date === 'string' &&
    (data.errorCode === undefined || Number.isFinite(data.errorCode)) &&
    isOptionalText(data.errorMessage)
  )
}

function isOptionalText(value: unknown): boolean {
  return value === undefined || typeof value === 'string'
}

function isShortText(value: unknown): boolean {
  return typeof value === 'string' && value.length > 0 && value.length <= 1024
}

function parseJson(text: string): unknown {
  try {
    return parseShallowJson(text)
  } catch {
    // The parser's own message quotes the body, so it is not kept as cause.
    throw new PayloadError({
      issues: [{ path: '', problem: 'the body is not JSON, or has more than 32,768 levels' }],
    })
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Decodes a body. A byte order mark is kept, which makes the JSON invalid.
 * @throws {PayloadError} when the bytes are not UTF-8.
 */
export function decodeUtf8(rawBody: Uint8Array | string): string {
  // A string was signed as UTF-8, which replaces lone surrogates.
  if (typeof rawBody === 'string') return rawBody.replace(/\p{Surrogate}/gu, '\uFFFD')
  try {
    return utf8.decode(rawBody)
  } catch (cause) {
    throw new PayloadError({ issues: [{ path: '', problem: 'the body is not UTF-8' }], cause })
  }
}

function check<Schema extends z.ZodType>(schema: Schema, json: unknown): z.infer<Schema> {
  const result = schema.safeParse(json)
  if (result.success) return result.data
  const issues = result.error.issues.map(({ path, message }): PayloadIssue => ({
    path: path.join('.'),
    problem: message,
  }))
  throw new PayloadError({ issues })
}
