import { checkOptionNames, ConfigurationError } from '@tonplug/core'
import { signPayload } from '../sign.js'
import type { Transmission } from './attempt.js'
import { badRequest } from './stand-in-error.js'

const MAX_TIMES = 10_000
const MAX_DELAY_MS = 2 ** 31 - 1

/** What is unusual about one delivery. */
export interface DeliverOptions {
  /** How many times to send the same delivery at once, each with its own retries. @default 1 */
  times?: number | undefined
  /** How long to wait before the first attempt, milliseconds. @default 0 */
  delayMs?: number | undefined
  /** Loses the request on its way: the receiver sees nothing, the gateway waits its 10 s. @default false */
  drop?: boolean | undefined
  /** Breaks the connection when the receiver has answered, so that the gateway tries again. @default false */
  dropAnswer?: boolean | undefined
  /** Changes one bit in the middle of the body after it was signed. @default false */
  corrupt?: boolean | undefined
  /** Sends the first half of the body only, as if that were all. @default false */
  truncate?: boolean | undefined
  /** Signs with this secret instead. */
  secret?: string | undefined
  /** Rests so long in the middle of the body, milliseconds. @default 0 */
  slowMs?: number | undefined
  /** Strikes only so many attempts with these faults, the first ones; the next are as they should be. @default all */
  faultyAttempts?: number | undefined
}

const SWITCHES = ['drop', 'dropAnswer', 'corrupt', 'truncate'] as const
const NAMES: Record<keyof DeliverOptions, true> = {
  times: true,
  delayMs: true,
  drop: true,
  dropAnswer: true,
  corrupt: true,
  truncate: true,
  secret: true,
  slowMs: true,
  faultyAttempts: true,
}

/** What a delivery signs with, and under which names. */
export interface Signing {
  secret: string
  header: string | readonly string[] | undefined
}

/**
 * What each attempt of a delivery sends.
 * @throws {ConfigurationError} for an option that does not exist.
 * @throws {GatewayStandInError} when an option makes no sense.
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
    lost: options.drop === true ? 'request' : options.dropAnswer === true ? 'answer' : undefined,
    pauseMs: options.slowMs ?? 0,
  }
  return (attempt) => (attempt <= faultyAttempts ? wrong : right)
}

/**
 * Checks how a delivery is to go out, before anything else happens: a test would be green without its fault.
 * @param inside the name of the option that holds these, with a dot
 * @throws {ConfigurationError} for an option that does not exist.
 * @throws {GatewayStandInError} when an option makes no sense.
 */
export function checkDeliverOptions(options: DeliverOptions, inside = ''): void {
  checkOptionNames(options, Object.keys(NAMES), inside)
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
    throw badRequest('secret is empty or no text; give the one to sign with')
  }
}

/**
 * As {@link checkDeliverOptions}, of what stands beside a payment or a failure.
 * @throws {ConfigurationError} when it is another text than `'none'`, too.
 */
export function checkDelivery(delivery: DeliverOptions | 'none' = {}): void {
  if (delivery === 'none') return
  // In JavaScript it may be the name of a fault.
  if (typeof delivery === 'object') {
    checkDeliverOptions(delivery, 'delivery.')
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
