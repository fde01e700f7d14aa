import type { Clock } from '@tonplug/core'
import {
  type DeliveryAttempt,
  type DeliveryFetch,
  isAcknowledged,
  runDelivery,
} from './delivery.js'
import { signPayload } from './sign.js'

// The timers of core's systemClock let the process end; a delivery that waits for its retry must
// not.
const machineClock: Clock = {
  nowMs: () => Date.now(),
  setTimer(callback, delayMs) {
    const timer = setTimeout(callback, delayMs)
    return () => clearTimeout(timer)
  },
}

/** Where the gateway delivers to, and how. */
export interface GatewayStandInOptions {
  /** The webhook route, for example `http://127.0.0.1:3000/webhooks/ton`. */
  url: string
  /** The webhook secret that it signs with. */
  secret: string
  /** Time for time-outs and retries. @default the machine's clock */
  clock?: Clock | undefined
  /** Name of the signature header. @default 'x-tonpay-signature' */
  header?: string | undefined
  /** @default globalThis.fetch */
  fetch?: DeliveryFetch | undefined
}

/** What is unusual about one delivery. */
export interface DeliverOptions {
  /** How many times to send the same delivery at once, each with its own retries. @default 1 */
  times?: number | undefined
  /** Changes one bit in the middle of the body after it was signed. @default false */
  corrupt?: boolean | undefined
  /** Signs with this secret instead. */
  secret?: string | undefined
}

/** What became of a delivery. */
export interface DeliveryReport {
  /** Whether every copy was acknowledged with a 2xx in the end. */
  isDelivered: boolean
  /** Every request that was made, in the order of their answers. */
  attempts: readonly DeliveryAttempt[]
}

/** A payment gateway as its receivers see it. */
export interface GatewayStandIn {
  /**
   * Signs the payload and delivers it, with the gateway's time-out and retries.
   * @param payload sent as JSON; text and bytes are sent as they are.
   * @returns the report, when the delivery was acknowledged or its last retry has failed.
   */
  deliver(payload: string | object, options?: DeliverOptions): Promise<DeliveryReport>
  /** Calls `listener` after each attempt of any delivery. Returns the function that ends it. */
  onAttempt(listener: (attempt: DeliveryAttempt) => void): () => void
}

/**
 * A stand-in for the payment gateway: signed POST requests, 10 s for each answer, retries after
 * 1 s, 5 s and 15 s.
 * @example
 * ```ts
 * import { createGatewayStandIn, transferCompleted } from '@tonplug/testing'
 *
 * const gateway = createGatewayStandIn({
 *   url: 'http://127.0.0.1:3000/webhooks/ton',
 *   secret: 'whsec_test',
 * })
 * const { isDelivered } = await gateway.deliver(transferCompleted({ reference: 'order-7' }))
 * ```
 */
export function createGatewayStandIn(options: GatewayStandInOptions): GatewayStandIn {
  const { url, clock = machineClock, header } = options
  const fetch = options.fetch ?? globalThis.fetch
  const listeners = new Set<(attempt: DeliveryAttempt) => void>()

  return {
    async deliver(payload, { times = 1, corrupt = false, secret = options.secret } = {}) {
      const { body, headers } = signPayload(payload, secret, { header })
      const attempts: DeliveryAttempt[] = []
      const onAttempt = (attempt: DeliveryAttempt): void => {
        attempts.push(attempt)
        for (const listener of listeners) listener(attempt)
      }
      const sent = corrupt ? corruptBody(body) : body
      const copies = await Promise.all(
        Array.from({ length: times }, (_, index) =>
          runDelivery({ url, headers, body: sent, copy: index + 1, clock, fetch, onAttempt }),
        ),
      )
      return { isDelivered: copies.every((copy) => copy.some(isAcknowledged)), attempts }
    },
    onAttempt(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

function corruptBody(body: string | Uint8Array): Uint8Array {
  const bytes = Buffer.from(body)
  const middle = Math.floor(bytes.length / 2)
  return bytes.fill((bytes[middle] ?? 0) ^ 1, middle, middle + 1)
}
