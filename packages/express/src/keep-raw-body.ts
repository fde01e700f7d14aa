import type { ServerResponse } from 'node:http'
import {
  BodyTooLargeError,
  WEBHOOK_DEFAULTS,
  answerRefusal,
  parseOptions,
  readNodeBody,
  systemClock,
} from '@tonplug/core'
import type { Clock, Refusal } from '@tonplug/core'
import { z } from 'zod'
import { checkCall } from './check-call.js'
import { storeDelay } from './delay.js'
import { hasMethod } from './has-method.js'
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

const OPTIONS = z.strictObject({
  signatureHeaders: z.array(z.string()).default([...WEBHOOK_DEFAULTS.signatureHeaders]),
  maxBodyBytes: z
    .custom<number>(
      (value) => typeof value === 'number' && value > 0,
      'must be a number above zero',
    )
    .default(WEBHOOK_DEFAULTS.maxBodyBytes),
  clock: z.custom<Clock>().default(systemClock),
} satisfies Record<keyof KeepRawBodyOptions, z.ZodType>)

/** A request whose raw body is kept. */
interface KeptRequest extends ExpressRequest {
  /** Makes the parsers of Express 4 skip the body; those of Express 5 check the stream. */
  _body?: boolean
}

/**
 * Returns a middleware that keeps the exact bytes of signed requests, for a {@link tonplugWebhook} mounted after a body
 * parser. Mount it before the parser, on the webhook's path. It reads POST requests with a signature header: `req.rawBody`
 * becomes the bytes, `req.body` the parsed JSON, or the bytes if they are not JSON. Parsers skip these requests. All other
 * requests remain unchanged.
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
  const schema = hasMethod(options, 'receive') ? OPTIONS.strip() : OPTIONS
  const { signatureHeaders, maxBodyBytes, clock } = parseOptions(schema, options)
  const names = signatureHeaders.map((name) => name.toLowerCase())

  return (request, response, next) => {
    if (isReadable(request, names)) void keep()
    else next()

    async function keep(): Promise<void> {
      try {
        const startMs = clock.nowMs()
        keepBytes(request, await readInTime(request, { maxBodyBytes, clock }))
        storeDelay(request, clock.nowMs() - startMs)
      } catch (error) {
        reject(request, response, error)
        return
      }
      next()
    }
  }
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

async function readInTime(
  request: ExpressRequest,
  { maxBodyBytes, clock }: { maxBodyBytes: number; clock: Clock },
): Promise<Uint8Array> {
  const timeout = new AbortController()
  const cancelTimer = clock.setTimer(() => timeout.abort(), WEBHOOK_DEFAULTS.deadlineMs)
  try {
    return await readNodeBody(request)({ maxBodyBytes, signal: timeout.signal })
  } finally {
    cancelTimer()
  }
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
