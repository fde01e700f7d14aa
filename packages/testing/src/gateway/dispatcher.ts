import { setMaxListeners } from 'node:events'
import { ConfigurationError, describeSettingMistake } from '@tonplug/core'
import type { DeliveryAttempt, LoggedAttempt } from './attempt.js'
import { createDeliveryLog, type DeliveryLog } from './delivery-log.js'
import { runDelivery, wait } from './delivery.js'
import { type DeliverOptions, planTransmissions } from './faults.js'
import { createGate, type Gate, type HeldDeliveries } from './held-deliveries.js'
import { MockGatewayError } from './mock-gateway-error.js'
import type { TimedOptions } from './options.js'

/** The result of a delivery. */
export interface DeliveryReport {
  /** True when every copy was acknowledged with a 2xx. */
  isDelivered: boolean
  /** Every request, in the sequence of their responses. */
  attempts: readonly DeliveryAttempt[]
}

/** The deliveries of a mock gateway. */
export interface Dispatcher {
  readonly options: TimedOptions
  readonly log: DeliveryLog
  /** Aborted at a reset and when the mock gateway is closed. */
  closing: AbortController
  readonly running: Set<Promise<unknown>>
  /** Number of deliveries so far. */
  count: number
  /** Holds new deliveries while it is set. */
  gate: Gate | undefined
}

/** Creates a dispatcher. @throws {ConfigurationError} when the secret is empty or can only be a mistake. */
export function createDispatcher(options: TimedOptions): Dispatcher {
  const { secret, maxAttempts = 1000 } = options
  // In JavaScript an environment variable may be missing.
  if (typeof secret !== 'string' || secret === '') {
    const problem = 'must be the secret with which the shop verifies; received none'
    throw new ConfigurationError({ option: 'secret', problem })
  }
  const mistake = describeSettingMistake(secret)
  if (mistake !== undefined) throw new ConfigurationError({ option: 'secret', problem: mistake })
  const log = createDeliveryLog(maxAttempts)
  const closing = createClosing()
  return { options, log, closing, running: new Set(), count: 0, gate: undefined }
}

/** Delivers a webhook. See `MockGateway.deliver`. */
export async function deliver(
  dispatcher: Dispatcher,
  payload: string | object,
  options: DeliverOptions = {},
): Promise<DeliveryReport> {
  checkOpen(dispatcher)
  const sending = send(dispatcher, payload, options)
  dispatcher.running.add(sending)
  return sending.finally(() => dispatcher.running.delete(sending))
}

/** Holds deliveries from now on. See `MockGateway.hold`. */
export function holdDeliveries(dispatcher: Dispatcher): HeldDeliveries {
  const gate: Gate = createGate(dispatcher.closing.signal, () => {
    if (dispatcher.gate === gate) dispatcher.gate = undefined
  })
  dispatcher.gate = gate
  return gate
}

/** @throws {MockGatewayError} after {@link endDeliveries}, which a reset reverts. */
export function checkOpen({ closing }: Dispatcher): void {
  if (!closing.signal.aborted) return
  throw new MockGatewayError({ status: 503, message: 'the mock gateway was closed' })
}

/** Ends running deliveries and empties the log. */
export async function resetDispatcher(dispatcher: Dispatcher): Promise<void> {
  checkOpen(dispatcher)
  await endDeliveries(dispatcher, 'the mock gateway was reset')
  dispatcher.log.clear()
  dispatcher.count = 0
  dispatcher.closing = createClosing()
}

/** Ends running deliveries and refuses further ones. */
export async function endDeliveries(
  { closing, running }: Dispatcher,
  reason = 'the mock gateway was closed',
): Promise<void> {
  closing.abort(new DOMException(reason, 'AbortError'))
  await Promise.allSettled(running)
}

async function send(
  dispatcher: Dispatcher,
  payload: string | object,
  deliverOptions: DeliverOptions,
): Promise<DeliveryReport> {
  const { options, log, gate } = dispatcher
  const { signal: closing } = dispatcher.closing
  const { clock, fetch = globalThis.fetch } = options
  const { times = 1, delayMs = 0 } = deliverOptions
  const transmission = planTransmissions(payload, options, deliverOptions)
  const delivery = ++dispatcher.count
  const waiting = gate?.join()
  try {
    await waiting?.admitted
    if (delayMs > 0) await wait(clock, delayMs, closing)
    const line = { url: readUrl(options.url), clock, fetch, closing }
    const attempts: DeliveryAttempt[] = []
    let unstarted = times
    const onAttempt = (made: LoggedAttempt): void => {
      if (made.attempt === 1 && --unstarted === 0) waiting?.started()
      const { sent: _, responseHeaders: __, ...attempt } = made
      attempts.push(attempt)
      log.add(made)
    }
    const copies = Array.from({ length: times }, (_, index) =>
      runDelivery({ line, delivery, transmission, copy: index + 1, onAttempt }),
    )
    return { isDelivered: (await Promise.all(copies)).every(Boolean), attempts }
  } finally {
    waiting?.started()
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
