import { ConfigurationError, describeSettingMistake } from '@tonplug/core'
import {
  createMockGateway,
  type DeliveryReport,
  type MockGateway,
  type MockGatewayOptions,
} from '@tonplug/testing'
import { explainError } from './explain-error.js'
import { UsageError } from './failure.js'
import type { Report } from './report.js'
import type { SourcedSecret } from './secret.js'
import { onOneLine } from './table.js'

const SHOWN_CHARACTERS = 500

/** Options of a delivery. */
export interface Sending extends Pick<MockGatewayOptions, 'assets'> {
  url: string
  secret: SourcedSecret
  header: string
  /** Retries after 1, 5 and 15 seconds, as the gateway does. */
  isRetried: boolean
}

/** One request, with its response or its error. */
export type Attempt = { status: number; body: string } | { error: string }

/**
 * Delivers a webhook as the gateway does.
 * @throws {UsageError} when the secret or the URL is invalid.
 */
export async function sendWebhook(
  sending: Sending,
  begin: (gateway: MockGateway) => Promise<DeliveryReport>,
): Promise<Report> {
  const { secret, header, isRetried, assets } = sending
  checkSecret(secret)
  const url = readUrl(sending.url)
  const gateway = createGateway({ url, secret: secret.value, header, assets })
  // A closed gateway makes no retries.
  if (!isRetried) gateway.onAttempt(() => void gateway.close())
  try {
    const { isDelivered, attempts } = await begin(gateway)
    const made = attempts.map(toAttempt)
    return {
      isDone: isDelivered,
      json: { url, isDelivered, attempts: made },
      text: describeDelivery(isDelivered, made),
    }
  } finally {
    await gateway.close()
  }
}

function createGateway(options: MockGatewayOptions): MockGateway {
  try {
    return createMockGateway(options)
  } catch (error) {
    if (error instanceof ConfigurationError) throw new UsageError(error.message)
    throw error
  }
}

function toAttempt({ status, body, error }: DeliveryReport['attempts'][number]): Attempt {
  return status === undefined ? { error: explainError(error) } : { status, body }
}

/** Describes the result of a delivery, and what to do about it. */
export function describeDelivery(isDelivered: boolean, attempts: Attempt[]): string {
  const texts = attempts.map((attempt, index) => `attempt ${index + 1}: ${attemptText(attempt)}`)
  const end = isDelivered ? 'Delivered.' : `Not delivered. ${adviceOn(attempts.at(-1))}`
  return [...texts, end].join('\n')
}

function attemptText(attempt: Attempt): string {
  if ('error' in attempt) return onOneLine(attempt.error)
  const body = onOneLine(attempt.body).slice(0, SHOWN_CHARACTERS)
  return body === '' ? `${attempt.status}` : `${attempt.status} ${body}`
}

function adviceOn(attempt: Attempt | undefined): string {
  if (attempt === undefined || 'error' in attempt) {
    return 'Does a server listen there, and is the URL correct?'
  }
  const { status } = attempt
  if (status === 401) {
    return 'The receiver rejects the signature. Does it have another secret, or does a parser read the body first? See `tonplug verify`.'
  }
  if (status === 400) {
    return 'The signature is valid, but the receiver does not support the body.'
  }
  if (status === 404 || status === 405) return 'The URL has no webhook route for POST.'
  if (status >= 300 && status < 400) {
    return 'The gateway follows no redirects; give the final URL.'
  }
  return 'The log of the receiver has the reason.'
}

/** @throws {UsageError} when a receiver would reject the secret. */
export function checkSecret({ source, value }: SourcedSecret): void {
  if (value !== value.trim()) {
    throw new UsageError(
      `the secret in ${source} begins or ends with white space; trim it, because a receiver rejects it`,
    )
  }
  const mistake = describeSettingMistake(value)
  if (mistake !== undefined) throw new UsageError(`the secret in ${source} ${mistake}`)
}

/** Parses the URL of a webhook route. @throws {UsageError} when it is invalid. */
export function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '') {
    throw new UsageError(
      '--url: give an http:// or https:// URL without a user, for example http://localhost:3000/webhooks/ton',
    )
  }
  return url.href
}
