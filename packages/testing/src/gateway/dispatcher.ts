import { setMaxListeners } from 'node:events'
import { type Clock, ConfigurationError } from '@tonplug/core'
import type { DeliveryAttempt, DeliveryFetch, LoggedAttempt } from './attempt.js'
import { createDeliveryLog } from './delivery-log.js'
import { runDelivery, wait } from './delivery.js'
import { type DeliverOptions, planTransmissions } from './faults.js'
import { createGate, type Gate, type HeldDeliveries } from './held-deliveries.js'
import { MockGatewayError } from './mock-gateway-error.js'

/** The result of a delivery. */
export interface DeliveryReport {
  /** True when every copy was acknowledged with a 2xx. */
  isDelivered: boolean
  /** Every request, in the sequence of their responses. */
  attempts: readonly DeliveryAttempt[]
}

/** Sends webhooks and keeps the log. */
export interface Dispatcher {
  deliver(payload: string | object, options?: DeliverOptions): Promise<DeliveryReport>
  hold(): HeldDeliveries
  onAttempt(listener: (attempt: LoggedAttempt) => void): () => void
  log(): LoggedAttempt[]
  /** @throws {MockGatewayError} after {@link close}. */
  checkOpen(): void
  /** Ends running deliveries and empties the log. */
  reset(): Promise<void>
  close(): Promise<void>
}

/** Options of a dispatcher. */
export interface DispatcherOptions {
  url?: string | (() => string) | undefined
  secret: string
  clock: Clock
  header?: string | readonly string[] | undefined
  maxAttempts?: number | undefined
  fetch?: DeliveryFetch | undefined
}

/** Creates a dispatcher. @throws {ConfigurationError} when the secret is empty. */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { clock, header, secret } = options
  // In JavaScript an environment variable may be missing.
  if (typeof secret !== 'string' || secret === '') {
    const problem = 'must be the secret with which the shop verifies; received none'
    throw new ConfigurationError({ option: 'secret', problem })
  }
  const log = createDeliveryLog(options.maxAttempts ?? 1000)
  let closing = createClosing()
  const running = new Set<Promise<unknown>>()
  let count = 0
  let gate: Gate | undefined

  const send = async (
    payload: string | object,
    deliverOptions: DeliverOptions,
  ): Promise<DeliveryReport> => {
    const { times = 1, delayMs = 0 } = deliverOptions
    const transmission = planTransmissions(payload, { secret, header }, deliverOptions)
    const place = { delivery: ++count, transmission }
    const waiting = gate?.join()
    try {
      await waiting?.admitted
      if (delayMs > 0) await wait(clock, delayMs, closing.signal)
      const line = {
        url: readUrl(options.url),
        clock,
        fetch: options.fetch ?? globalThis.fetch,
        closing: closing.signal,
      }
      const attempts: DeliveryAttempt[] = []
      let unstarted = times
      const onAttempt = (made: LoggedAttempt): void => {
        if (made.attempt === 1 && --unstarted === 0) waiting?.started()
        const { sent: _, responseHeaders: __, ...attempt } = made
        attempts.push(attempt)
        log.add(made)
      }
      const copies = Array.from({ length: times }, (_, index) =>
        runDelivery({ ...place, line, copy: index + 1, onAttempt }),
      )
      const ends = await Promise.all(copies)
      return { isDelivered: ends.every((isAcknowledged) => isAcknowledged), attempts }
    } finally {
      waiting?.started()
    }
  }
  const end = async (reason: string): Promise<void> => {
    closing.abort(new DOMException(reason, 'AbortError'))
    await Promise.allSettled(running)
  }
  const checkOpen = (): void => {
    if (!closing.signal.aborted) return
    throw new MockGatewayError({ status: 503, message: 'the mock gateway was closed' })
  }

  return {
    async deliver(payload, deliverOptions = {}) {
      checkOpen()
      const sending = send(payload, deliverOptions)
      running.add(sending)
      return sending.finally(() => running.delete(sending))
    },
    hold() {
      const created: Gate = createGate(closing.signal, () => {
        if (gate === created) gate = undefined
      })
      gate = created
      return created
    },
    onAttempt: (listener) => log.subscribe(listener),
    log: () => log.list(),
    checkOpen,
    async reset() {
      checkOpen()
      await end('the mock gateway was reset')
      log.clear()
      count = 0
      closing = createClosing()
    },
    close: () => end('the mock gateway was closed'),
  }
}

/** Any number of deliveries may wait for its end. */
function createClosing(): AbortController {
  const closing = new AbortController()
  setMaxListeners(0, closing.signal)
  return closing
}

/** Parses the webhook URL. @throws {MockGatewayError} when it is missing or invalid. */
function readUrl(url: string | (() => string) | undefined): string {
  const text = typeof url === 'function' ? url() : url
  if (text !== undefined && URL.canParse(text) && /^https?:/.test(text)) return text
  throw new MockGatewayError({
    status: 400,
    message: `url must be the http:// or https:// URL of the webhook route; received ${JSON.stringify(text)}`,
  })
}
