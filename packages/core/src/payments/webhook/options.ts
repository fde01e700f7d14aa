import { z } from 'zod'
import type { Payments } from '../engine/payments.js'
import {
  objectWith,
  parseOptions,
  positive,
  timerMs,
  type OptionSchemas,
} from '../../shared/options.js'
import { nameSecrets, type SecretResolver, type Secrets } from './secrets.js'
import type { SignatureEncoding } from './signature.js'
import { lazy } from '../../shared/lazy.js'

/** The part of Payments that the webhook receiver uses. */
export type ReceivingPayments = Pick<Payments, 'name' | 'submit' | 'state' | 'internals'>

/** Options of {@link createWebhookReceiver}. */
export interface WebhookReceiverOptions {
  /** Decides about the reported transfers. */
  payments: ReceivingPayments
  /** The webhook secret of the merchant dashboard; several during a rotation; a function for several merchants. */
  secrets: Secrets | SecretResolver
  /** Response to events other than `transfer.completed`: 400, or 200. They are stored as unreadable. @default 'reject' */
  unsupportedEvent?: 'reject' | 'acknowledge' | undefined
  /** Largest difference between the payload's `timestamp` and now, either way. @default undefined (any age) */
  maxAgeMs?: number | undefined
  /** Response to a delivery beyond `maxAgeMs`: 401, or 200. It is stored as unreadable. @default 'reject' */
  staleDelivery?: 'reject' | 'acknowledge' | undefined
  /** @default ['x-pay-signature', 'x-tonpay-signature'] */
  signatureHeaders?: readonly string[] | undefined
  /** Encoding of the digest after `sha256=`. @default 'hex' */
  signatureEncoding?: SignatureEncoding | undefined
  /** @default 65_536 */
  maxBodyBytes?: number | undefined
  /** Time from the request's arrival to its response; after it 503. The gateway waits 10 seconds. @default 8000 */
  deadlineMs?: number | undefined
  /** Time for running requests in {@link WebhookReceiver.close}. @default 10_000 */
  drainTimeoutMs?: number | undefined
}

/** Defaults of {@link WebhookReceiverOptions}. */
export const WEBHOOK_DEFAULTS = {
  /** The signature's headers, as documented and as sent by the gateway. */
  signatureHeaders: ['x-pay-signature', 'x-tonpay-signature'] as readonly string[],
  /** 64 KiB; a documented payload has less than 2. */
  maxBodyBytes: 65_536,
  /** The gateway waits ten seconds. */
  deadlineMs: 8000,
} as const

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const EXPECTED_HEADERS = "must be a list of header names, for example ['x-pay-signature']"
const RESPONSES = ['reject', 'acknowledge'] as const

type Given = WebhookReceiverOptions['secrets']

const SCHEMA = lazy(() =>
  z.strictObject({
    payments: objectWith<ReceivingPayments>('the result of createPayments()', ['submit', 'state']),
    // A missing secret gets a message of its own, from nameSecrets().
    secrets: z.unknown().optional() as unknown as z.ZodType<Given, Given>,
    unsupportedEvent: z.enum(RESPONSES).default('reject'),
    maxAgeMs: timerMs.optional(),
    staleDelivery: z.enum(RESPONSES).default('reject'),
    signatureHeaders: z
      .array(
        z.string(EXPECTED_HEADERS).regex(HEADER_NAME, EXPECTED_HEADERS).toLowerCase(),
        EXPECTED_HEADERS,
      )
      .min(1, EXPECTED_HEADERS)
      .default([...WEBHOOK_DEFAULTS.signatureHeaders]),
    signatureEncoding: z.enum(['hex', 'base64']).default('hex'),
    maxBodyBytes: positive.default(WEBHOOK_DEFAULTS.maxBodyBytes),
    deadlineMs: timerMs.default(WEBHOOK_DEFAULTS.deadlineMs),
    drainTimeoutMs: timerMs.default(10_000),
  } satisfies OptionSchemas<WebhookReceiverOptions>),
)

/** The options with their defaults, checked. */
export type ResolvedReceiverOptions = ReturnType<typeof resolveReceiverOptions>

/** @throws {ConfigurationError} when an option is missing, unknown or invalid. */
export function resolveReceiverOptions(given: WebhookReceiverOptions) {
  const { secrets, ...options } = parseOptions(SCHEMA(), given)
  return { ...options, secrets: typeof secrets === 'function' ? secrets : nameSecrets(secrets) }
}
