import { ConfigurationError } from '@tonplug/core'
import {
  createGatewayStandIn,
  type DeliveryReport,
  type GatewayStandIn,
  type GatewayStandInOptions,
} from '@tonplug/testing'
import { explainError } from './explain-error.js'
import { UsageError } from './failure.js'
import type { SourcedSecret } from './secret.js'
import { onOneLine } from './table.js'

const SHOWN_CHARACTERS = 500

/** Where to deliver to, and how. */
export interface Sending extends Pick<GatewayStandInOptions, 'assets'> {
  url: string
  secret: SourcedSecret
  header: string
  /** Whether to try again as the gateway does, after 1, 5 and 15 seconds. */
  isRetried: boolean
}

/** One request, and its answer or the reason why there is none. */
export type Attempt = { status: number; body: string } | { error: string }

/** What became of a delivery, for people and for scripts. */
export interface DeliveryOutcome {
  isDelivered: boolean
  json: { url: string; isDelivered: boolean; attempts: Attempt[] }
  text: string
}

/**
 * Plays the gateway for one delivery.
 * @throws {UsageError} when the secret or the address cannot be.
 */
export async function deliver(
  sending: Sending,
  begin: (gateway: GatewayStandIn) => Promise<DeliveryReport>,
): Promise<DeliveryOutcome> {
  const { secret, header, isRetried, assets } = sending
  checkSecret(secret)
  const url = readUrl(sending.url)
  const gateway = createGateway({ url, secret: secret.value, header, assets })
  // A gateway that is closed tries nothing again.
  if (!isRetried) gateway.onAttempt(() => void gateway.close())
  try {
    const { isDelivered, attempts } = await begin(gateway)
    const made = attempts.map(toAttempt)
    const json = { url, isDelivered, attempts: made }
    return { isDelivered, json, text: describeDelivery(isDelivered, made) }
  } finally {
    await gateway.close()
  }
}

function createGateway(options: GatewayStandInOptions): GatewayStandIn {
  try {
    return createGatewayStandIn(options)
  } catch (error) {
    if (error instanceof ConfigurationError) throw new UsageError(error.message)
    throw error
  }
}

function toAttempt({ status, body, error }: DeliveryReport['attempts'][number]): Attempt {
  return status === undefined ? { error: explainError(error) } : { status, body }
}

/** What became of a delivery, in words, and what to do about it. */
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
    return 'Does a server listen there, and is the address right?'
  }
  const { status } = attempt
  if (status === 401) {
    return 'The receiver does not take the signature: has it another secret, or does a parser read the body first? See `tonplug verify`.'
  }
  if (status === 400) {
    return 'The signature was right; the body is no webhook that the receiver knows.'
  }
  if (status === 404 || status === 405) return 'The address has no webhook route for POST.'
  if (status >= 300 && status < 400) {
    return 'The gateway follows no redirects; give the final address.'
  }
  return 'The log of the receiver says why.'
}

/** @throws {UsageError} when a receiver would refuse the secret. */
export function checkSecret({ source, value }: SourcedSecret): void {
  if (value === value.trim()) return
  throw new UsageError(
    `the secret in ${source} begins or ends with white space; trim it, as a receiver refuses it so`,
  )
}

/** The address of a webhook route. @throws {UsageError} when it cannot be one. */
export function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '') {
    throw new UsageError(
      '--url: give an http:// or https:// address without a user, such as http://localhost:3000/webhooks/ton',
    )
  }
  return url.href
}
