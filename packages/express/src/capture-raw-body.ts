import type { ServerResponse } from 'node:http'
import {
  BodyTooLargeError,
  DEADLINE_MS,
  MAX_BODY_BYTES,
  SIGNATURE_HEADERS,
  answerRefusal,
  checkOptionNames,
  readNodeBody,
  systemClock,
} from '@tonplug/core'
import type { Clock, Refusal } from '@tonplug/core'
import { checkCall } from './check-call.js'
import { noteDelay } from './delay.js'
import { isSigned } from './is-signed.js'
import { isUnread } from './raw-body.js'
import type { ExpressRequest } from './raw-body.js'
import { writeAnswer } from './write-answer.js'

/** A receiver fits: `captureRawBody(receiver)` takes its headers and its limit. */
export interface CaptureRawBodyOptions {
  /** Requests with one of these headers are captured. @default ['x-pay-signature', 'x-tonpay-signature'] */
  signatureHeaders?: readonly string[] | undefined
  /** Longer bodies are answered 413. @default 65_536 */
  maxBodyBytes?: number | undefined
  /** @default systemClock */
  clock?: Clock | undefined
}

const NAMES: Record<keyof CaptureRawBodyOptions, true> = {
  signatureHeaders: true,
  maxBodyBytes: true,
  clock: true,
}

/** What is set on a captured request. */
interface CapturedRequest extends ExpressRequest {
  /** By this the parsers of Express 4 know that the body has been read; those of Express 5 look at the stream. */
  _body?: boolean
}

/**
 * Keeps the exact bytes of signed requests for a {@link tonplugWebhook} that stands behind a body parser. Mount it
 * ahead of the parser, on the webhook's path: elsewhere it would take the parser's place too. A POST request with a signature header is read here: `req.rawBody` becomes the bytes,
 * `req.body` the parsed JSON, or the bytes when they are no JSON, and parsers leave it alone. All other requests
 * pass untouched.
 * @throws {ConfigurationError} for an option that does not exist, and when it is mounted without being called.
 * @example
 * ```ts
 * app.use('/webhooks/ton', captureRawBody(receiver))
 * app.use(express.json())
 * app.post('/webhooks/ton', tonplugWebhook(receiver))
 * ```
 */
export function captureRawBody(
  options: CaptureRawBodyOptions = {},
): (request: ExpressRequest, response: ServerResponse, next: (error?: unknown) => void) => void {
  checkCall('captureRawBody', options, 'app.use(path, captureRawBody(receiver))')
  // A receiver has its methods beside them.
  if (!('receive' in options)) checkOptionNames(options, Object.keys(NAMES))
  const { signatureHeaders = SIGNATURE_HEADERS } = options
  const { maxBodyBytes = MAX_BODY_BYTES, clock = systemClock } = options
  const names = signatureHeaders.map((name) => name.toLowerCase())

  return (request, response, next) => {
    if (isCapturable(request, names)) void capture()
    else next()

    async function capture(): Promise<void> {
      try {
        const startMs = clock.nowMs()
        keepBytes(request, await readInTime(request, { maxBodyBytes, clock }))
        noteDelay(request, clock.nowMs() - startMs)
      } catch (error) {
        refuse(request, response, error)
        return
      }
      next()
    }
  }
}

function isCapturable(request: ExpressRequest, names: readonly string[]): boolean {
  const { method, headers } = request
  // A compressed body is refused by the receiver, so a parser may as well have it.
  return (
    method === 'POST' &&
    isSigned(headers, names) &&
    /^\s*(identity)?\s*$/i.test(headers['content-encoding'] ?? '') &&
    isUnread(request)
  )
}

async function readInTime(
  request: ExpressRequest,
  { maxBodyBytes, clock }: { maxBodyBytes: number; clock: Clock },
): Promise<Uint8Array> {
  const timeout = new AbortController()
  const cancelTimer = clock.setTimer(() => timeout.abort(), DEADLINE_MS)
  try {
    return await readNodeBody(request)({ maxBodyBytes, signal: timeout.signal })
  } finally {
    cancelTimer()
  }
}

function keepBytes(request: CapturedRequest, bytes: Uint8Array): void {
  const rawBody = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  request.rawBody = rawBody
  request.body = parseJson(rawBody)
  request._body = true
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return bytes
  }
}

/** Answers as the receiver does to a body that is too long, or not complete in time. */
function refuse(request: ExpressRequest, response: ServerResponse, error: unknown): void {
  const refusal: Refusal =
    error instanceof BodyTooLargeError
      ? { kind: 'body_too_large', maxBodyBytes: error.details.maxBodyBytes }
      : { kind: 'body_incomplete' }
  writeAnswer(request, response, answerRefusal(refusal))
}
