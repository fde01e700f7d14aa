import { ConfigurationError } from '@tonplug/core'
import { parseOptions } from '@tonplug/core/internal'
import { z } from 'zod'
import { signPayload } from '../sign.js'
import type { Transmission } from './attempt.js'
import { badRequest } from './mock-gateway-error.js'

const MAX_TIMES = 10_000
const MAX_DELAY_MS = 2 ** 31 - 1

/** Faults of one delivery. */
export interface DeliverOptions {
  /** Number of concurrent copies of the delivery, each with its own retries. @default 1 */
  times?: number | undefined
  /** Delay before the first attempt, milliseconds. @default 0 */
  delayMs?: number | undefined
  /** Loses the request on the network: the receiver sees nothing, and the gateway waits for 10 s. @default false */
  drop?: boolean | undefined
  /** Resets the connection after the receiver's response, so that the gateway retries. @default false */
  dropResponse?: boolean | undefined
  /** Changes one bit in the middle of the body after it was signed. @default false */
  corrupt?: boolean | undefined
  /** Sends the first half of the body only, with its length. @default false */
  truncate?: boolean | undefined
  /** Signs with this secret instead. */
  secret?: string | undefined
  /** Delay in the middle of the body, milliseconds. @default 0 */
  slowMs?: number | undefined
  /** Number of attempts with these faults; later ones have none. @default all */
  faultyAttempts?: number | undefined
}

/** The delivery of a payment's or a failure's webhook. */
export interface DeliveryChoice {
  /** Faults of the delivery; `'none'` sends no webhook. @default {} (no faults) */
  delivery?: DeliverOptions | 'none' | undefined
}

const SWITCHES = ['drop', 'dropResponse', 'corrupt', 'truncate'] as const
const field = z.any().optional()
const OPTIONS = z.strictObject({
  times: field,
  delayMs: field,
  drop: field,
  dropResponse: field,
  corrupt: field,
  truncate: field,
  secret: field,
  slowMs: field,
  faultyAttempts: field,
} satisfies Record<keyof DeliverOptions, z.ZodType>)

/** The secret and the headers of a delivery's signature. */
export interface Signing {
  secret: string
  header?: string | readonly string[] | undefined
}

/**
 * Returns the content of each attempt of a delivery.
 * @throws {ConfigurationError} for an option that does not exist.
 * @throws {MockGatewayError} when an option is invalid.
 */
export function planTransmissions(
  payload: string | object,
  { secret, header }: Signing,
  options: DeliverOptions,
): (attempt: number) => Transmission {
  checkDeliverOptions(options)
  const signed = signPayload(payload, secret, { header })
  const body = Uint8Array.from(Buffer.from(signed.body))
  const { faultyAttempts = Infinity } = options
  const right: Transmission = { headers: signed.headers, body, pauseMs: 0 }
  const wrong: Transmission = {
    headers:
      options.secret === undefined
        ? signed.headers
        : signPayload(body, options.secret, { header }).headers,
    body: damage(body, options),
    lost:
      options.drop === true ? 'request' : options.dropResponse === true ? 'response' : undefined,
    pauseMs: options.slowMs ?? 0,
  }
  return (attempt) => (attempt <= faultyAttempts ? wrong : right)
}

/**
 * Checks the options of a delivery before anything else happens: a test must not pass without its fault.
 * @param path the name of the option that contains them
 * @throws {ConfigurationError} for an option that does not exist.
 * @throws {MockGatewayError} when an option is invalid.
 */
export function checkDeliverOptions(options: DeliverOptions, path = ''): void {
  parseOptions(OPTIONS, options, { path })
  const { times = 1, delayMs = 0, slowMs = 0, faultyAttempts = 0, secret = 'any' } = options
  if (!Number.isInteger(times) || times < 1 || times > MAX_TIMES) {
    throw badRequest(`times is ${times}; give a whole number from 1 to ${MAX_TIMES}`)
  }
  if (!Number.isInteger(faultyAttempts) || faultyAttempts < 0) {
    throw badRequest(`faultyAttempts is ${faultyAttempts}; give a whole number from 0 on`)
  }
  for (const [name, ms] of Object.entries({ delayMs, slowMs })) {
    if (!(typeof ms === 'number' && ms >= 0 && ms <= MAX_DELAY_MS)) {
      throw badRequest(`${name} is ${ms}; give milliseconds from 0 to ${MAX_DELAY_MS}`)
    }
  }
  for (const name of SWITCHES) {
    const { [name]: value = false } = options
    if (typeof value !== 'boolean')
      throw badRequest(`${name} is ${String(value)}; give true or false`)
  }
  if (typeof secret !== 'string' || secret === '') {
    throw badRequest('secret must be a non-empty string')
  }
}

/**
 * Checks the option `delivery` of a payment or a failure.
 * @throws {ConfigurationError} also for any string other than `'none'`.
 */
export function checkDelivery(delivery: DeliverOptions | 'none' = {}): void {
  if (delivery === 'none') return
  // In JavaScript it may be the name of a fault.
  if (typeof delivery === 'object') {
    checkDeliverOptions(delivery, 'delivery')
    return
  }
  const problem = `is ${String(delivery)}; give 'none', or faults such as { drop: true }`
  throw new ConfigurationError({ option: 'delivery', problem })
}

function damage(
  body: Uint8Array,
  { corrupt = false, truncate = false }: DeliverOptions,
): Uint8Array {
  const middle = Math.floor(body.length / 2)
  const damaged = truncate ? body.slice(0, middle) : body.slice()
  const struck = Math.floor(damaged.length / 2)
  if (corrupt) damaged[struck] = (damaged[struck] ?? 0) ^ 1
  return damaged
}
