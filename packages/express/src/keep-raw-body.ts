import type { ServerResponse } from 'node:http'
import {
  BodyTooLargeError,
  ConfigurationError,
  WEBHOOK_DEFAULTS,
  answerRefusal,
  readNodeBody,
  systemClock,
} from '@tonplug/core'
import type { Clock, Refusal } from '@tonplug/core'
import { checkCall, checkOptions, hasMethod } from './check.js'
import { storeDelay } from './delay.js'
import { isOwnPath } from './is-own-path.js'
import { isSigned } from './is-signed.js'
import { isUnread } from './raw-body.js'
import type { ExpressRequest } from './raw-body.js'
import { writeAnswer } from './write-answer.js'

/** Options of {@link keepRawBody}; a webhook receiver has the same fields. */
export interface KeepRawBodyOptions {
  /** Reads requests with one of these headers. @default ['x-pay-signature', 'x-tonpay-signature'] */
  signatureHeaders?: readonly string[] | undefined
  /** Responds with 413 to longer bodies. @default 65_536 */
  maxBodyBytes?: number | undefined
  /** @default systemClock */
  clock?: Clock | undefined
}

const NAMES = ['signatureHeaders', 'maxBodyBytes', 'clock']

/** A request whose raw body is kept. */
interface KeptRequest extends ExpressRequest {
  /** Makes the parsers of Express 4 skip the body; those of Express 5 check the stream. */
  _body?: boolean
}

/**
 * Returns a middleware that keeps the exact bytes of signed requests, for a {@link tonplugWebhook} mounted after a body
 * parser. Mount it before the parser, on the webhook's path: other paths, longer ones too, remain unchanged. It reads POST
 * requests with a signature header: `req.rawBody` becomes the bytes, `req.body` the parsed JSON, or the bytes if they are
 * not JSON. Parsers skip these requests.
 * @throws {ConfigurationError} for an unknown or invalid option, and when it is mounted without being called.
 * @example
 * ```ts
 * app.use('/webhooks/ton', keepRawBody(receiver))
 * app.use(express.json())
 * app.post('/webhooks/ton', tonplugWebhook(receiver))
 * ```
 */
export function keepRawBody(
  options: KeepRawBodyOptions = {},
): (request: ExpressRequest, response: ServerResponse, next: (error?: unknown) => void) => void {
  checkCall('keepRawBody', options, 'app.use(path, keepRawBody(receiver))')
  // A receiver has further fields.
  if (!hasMethod(options, 'receive')) {
    checkOptions('keepRawBody', options, { names: NAMES, hint: `it takes ${NAMES.join(', ')}` })
  }
  const { signatureHeaders, maxBodyBytes, clock } = withDefaults(options)
  const names = signatureHeaders.map((name) => name.toLowerCase())

  return function keepBody(request, response, next) {
    if (isOwnPath(request, keepBody) && isReadable(request, names)) void keep()
    else next()

    async function keep(): Promise<void> {
      try {
        const startMs = clock.nowMs()
        const { deadlineMs } = WEBHOOK_DEFAULTS
        keepBytes(request, await readNodeBody(request)({ maxBodyBytes, deadlineMs, clock }))
        storeDelay(request, clock.nowMs() - startMs)
      } catch (error) {
        reject(request, response, error)
        return
      }
      next()
    }
  }
}

/** @throws {ConfigurationError} for an invalid limit, which would accept a body of any length. */
function withDefaults(options: KeepRawBodyOptions) {
  const {
    signatureHeaders = WEBHOOK_DEFAULTS.signatureHeaders,
    maxBodyBytes = WEBHOOK_DEFAULTS.maxBodyBytes,
    clock = systemClock,
  } = options
  if (!Array.isArray(signatureHeaders)) {
    const problem = "must be a list of header names, for example ['x-pay-signature']"
    throw new ConfigurationError({ option: 'signatureHeaders', problem })
  }
  if (!(typeof maxBodyBytes === 'number' && maxBodyBytes > 0)) {
    throw new ConfigurationError({
      option: 'maxBodyBytes',
      problem: 'must be a number of bytes above zero',
    })
  }
  return { signatureHeaders, maxBodyBytes, clock }
}

function isReadable(request: ExpressRequest, names: readonly string[]): boolean {
  const { method, headers } = request
  // Compressed bodies are left to the parser, because the receiver rejects them.
  return (
    method === 'POST' &&
    isSigned(headers, names) &&
    /^\s*(identity)?\s*$/i.test(headers['content-encoding'] ?? '') &&
    isUnread(request)
  )
}

function keepBytes(request: KeptRequest, bytes: Uint8Array): void {
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

/** Sends the receiver's response to a body that is too long or incomplete. */
function reject(request: ExpressRequest, response: ServerResponse, error: unknown): void {
  const refusal: Refusal =
    error instanceof BodyTooLargeError
      ? { kind: 'body_too_large', maxBodyBytes: error.details.maxBodyBytes }
      : { kind: 'body_incomplete' }
  writeAnswer(request, response, answerRefusal(refusal))
}
