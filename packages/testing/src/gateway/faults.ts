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

/** What a delivery signs with, and under which names. */
export interface Signing {
  secret: string
  header: string | readonly string[] | undefined
}

/**
 * What each attempt of a delivery sends.
 * @throws {GatewayStandInError} when an option makes no sense.
 */
export function planTransmissions(
  payload: string | object,
  { secret, header }: Signing,
  options: DeliverOptions,
): (attempt: number) => Transmission {
  checkOptions(options)
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

function checkOptions({ times = 1, delayMs = 0, slowMs = 0, faultyAttempts = 0 }: DeliverOptions) {
  if (!Number.isInteger(times) || times < 1 || times > MAX_TIMES) {
    throw badRequest(`times is ${times}; give a whole number from 1 to ${MAX_TIMES}`)
  }
  if (!Number.isInteger(faultyAttempts) || faultyAttempts < 0) {
    throw badRequest(`faultyAttempts is ${faultyAttempts}; give a whole number from 0 on`)
  }
  for (const [name, ms] of Object.entries({ delayMs, slowMs })) {
    if (!(ms >= 0 && ms <= MAX_DELAY_MS)) {
      throw badRequest(`${name} is ${ms}; give milliseconds from 0 to ${MAX_DELAY_MS}`)
    }
  }
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
