import type { DecisionKind } from '../orders/decision.js'
import { RepositoryError } from '../orders/errors.js'
import { runInside } from '../../shared/instrumentation.js'
import { ConfigurationError } from '../../shared/configuration-error.js'
import { withDeadline } from '../../shared/timers.js'
import { errorFacts } from '../../shared/error-facts.js'
import {
  decisionResponse,
  rejectionResponse,
  type WebhookResponse,
  type Rejection,
} from './response.js'
import { createDeadlines, type Deadlines } from './deadlines.js'
import { BodyIncompleteError } from './errors.js'
import { createFetchHandler } from './fetch-handler.js'
import {
  checkBody,
  checkHead,
  checkLength,
  refuseUnread,
  resolveSecrets,
  type Rejected,
} from './intake.js'
import {
  resolveReceiverOptions,
  type ResolvedReceiverOptions,
  type WebhookReceiverOptions,
} from './options.js'
import { checkRequest } from './check-request.js'
import { toBytes } from './raw-bytes.js'
import { isOwnReader, ReceiverLimits } from './read-body.js'
import { createRefusalLog } from './rejection-log.js'
import { readHeader, type BodyReader, type WebhookRequest } from './request.js'

/** Sent by development tools: with the value `1`, the response to an authentic delivery contains the decision. */
const EXPLAIN_HEADER = 'x-tonplug-explain'

/** Numbers of deliveries since the start, by their decision or rejection. */
export type DeliveryCounts = Partial<Record<DecisionKind | Rejection['kind'], number>>

/** A source of Payments: verifies webhook requests and submits the transfers that they report. */
export interface WebhookReceiver {
  /** Lower-case. */
  readonly signatureHeaders: readonly string[]
  readonly maxBodyBytes: number
  /**
   * Processes one request. A 2xx is returned only after the decision is durable. Mounted directly in Express, it passes
   * the error to `next`, because Express requests need `tonplugWebhook(receiver)`.
   * @throws {RuleError} when a function in the options of Payments throws; the report is stored.
   * @throws {ConfigurationError} when `headers` or `rawBody` is missing, or of a type that cannot be read.
   */
  receive(request: WebhookRequest): Promise<WebhookResponse>
  /**
   * `receive` for servers that use Fetch: Hono, Next, Bun, Deno, Workers.
   * @throws {ConfigurationError} for anything but a Fetch `Request`, for example a context of Hono or a request of Express.
   */
  handle(request: Request): Promise<Response>
  /** Returns the number of requests by outcome since the receiver was created. */
  stats(): Readonly<DeliveryCounts>
  /** Responds with 503 from now on; waits up to `drainTimeoutMs` for running requests. Close it before Payments. */
  close(): Promise<void>
}

/**
 * Creates the receiver of a webhook route.
 * @throws {ConfigurationError} when an option is missing or invalid.
 * @example
 * ```ts
 * import { createPayments, createWebhookReceiver, memoryOrderRepository } from '@tonplug/core'
 *
 * const payments = createPayments({ orders: memoryOrderRepository() })
 * const receiver = createWebhookReceiver({
 *   payments,
 *   secrets: process.env.TONPAY_WEBHOOK_SECRET ?? '',
 * })
 * ```
 */
export function createWebhookReceiver(given: WebhookReceiverOptions): WebhookReceiver {
  const options = resolveReceiverOptions(given)
  const { payments, deadlineMs, signatureHeaders, maxBodyBytes } = options
  const { clock, logger, instrumentation } = payments.internals
  const state: ReceiverState = {
    options,
    logRejection: createRefusalLog(clock, logger),
    deadlines: createDeadlines(clock, deadlineMs),
    counts: {},
    running: 0,
    isClosed: false,
  }
  const { delivery } = instrumentation
  const receiveInside = (request: WebhookRequest): Promise<WebhookResponse> => {
    try {
      checkRequest(request)
    } catch (error) {
      return Promise.reject(error)
    }
    if (delivery === undefined) return receive(state, request)
    const { elapsedMs = 0 } = request
    return runInside(
      delivery,
      () => ({ payments: payments.name, elapsedMs }),
      () => receive(state, request),
    )
  }
  let closed: Promise<void> | undefined
  return {
    signatureHeaders,
    maxBodyBytes,
    receive: (request, _response?: unknown, next?: unknown) => {
      const answer = receiveInside(request)
      // A function at this place is the `next` of Express.
      return typeof next === 'function' ? passError(answer, next as Next) : answer
    },
    handle: createFetchHandler(receiveInside),
    stats: () => ({ ...state.counts }),
    close: () => (closed ??= close(state)),
  }
}

type Next = (error: unknown) => void

/** The parts of a receiver, and its state. */
interface ReceiverState {
  options: ResolvedReceiverOptions
  logRejection: ReturnType<typeof createRefusalLog>
  deadlines: Deadlines
  counts: DeliveryCounts
  /** Requests in progress, including those that have passed their deadline. */
  running: number
  isClosed: boolean
  /** Called when no request is in progress. */
  onIdle?: () => void
}

/** A request in progress. */
interface Arrival {
  request: WebhookRequest
  isAnswered: boolean
  /** False while the body is read. */
  isDeciding: boolean
  /** Ends the reading of the body; absent for a body that is given. */
  stopReading?: () => void
}

/** Returns the answer to a request: within the deadline, or 503 while the work continues. */
function receive(state: ReceiverState, request: WebhookRequest): Promise<WebhookResponse> {
  const arrival: Arrival = { request, isAnswered: false, isDeciding: false }
  return new Promise((resolve, reject) => {
    const respond = (answer: WebhookResponse): void => {
      if (arrival.isAnswered) return
      arrival.isAnswered = true
      const { kind } = answer.decision
      state.counts[kind] = (state.counts[kind] ?? 0) + 1
      resolve(answer)
    }
    const reason = state.isClosed ? 'closing' : notStarted(state.options)
    if (reason === undefined) {
      const expire = (): void => respond(refuseLate(state, arrival))
      const cancel = state.deadlines.add(expire, request.elapsedMs ?? 0)
      settle(state, arrival, cancel).then(respond, reject)
    } else {
      respond(refuse(state, { rejection: { kind: 'unavailable', reason } }))
    }
  })
}

function refuseLate(state: ReceiverState, { isDeciding, stopReading }: Arrival): WebhookResponse {
  stopReading?.()
  return refuse(state, {
    rejection: isDeciding
      ? { kind: 'unavailable', reason: 'deadline' }
      : { kind: 'body_incomplete' },
  })
}

/** Reads and checks the body, then submits the transfer. */
async function settle(
  state: ReceiverState,
  arrival: Arrival,
  onEnd: () => void,
): Promise<WebhookResponse> {
  const { options } = state
  state.running++
  try {
    const { request } = arrival
    const head = checkHead(options, request)
    if ('rejection' in head) return refuse(state, head)
    let given: unknown = request.rawBody
    if (typeof request.rawBody === 'function') {
      try {
        given = await read(arrival, request.rawBody, options.maxBodyBytes)
      } catch (error) {
        return refuse(state, refuseUnread(error, options.maxBodyBytes))
      }
    }
    const rawBody = toBytes(given)
    const tooLong = checkLength(rawBody, options.maxBodyBytes)
    if (tooLong !== undefined) return refuse(state, tooLong)
    arrival.isDeciding = true
    const signers =
      typeof options.secrets === 'function'
        ? await resolveSecrets(options.secrets, request)
        : { merchant: '', list: options.secrets }
    if ('rejection' in signers) return refuse(state, signers)
    const checked = checkBody(options, { rawBody, digest: head.digest, signers })
    return await submit(state, checked, request)
  } finally {
    onEnd()
    state.running--
    if (state.running === 0) state.onIdle?.()
  }
}

/** Calls a reader. At the deadline this rejects, whatever the reader does. */
function read(arrival: Arrival, reader: BodyReader, maxBodyBytes: number): ReturnType<BodyReader> {
  return new Promise((resolve, reject) => {
    const limits = new ReceiverLimits(maxBodyBytes)
    arrival.stopReading = () => {
      reject(new BodyIncompleteError())
      limits.stop()
    }
    // Another reader may copy the limits, and a copy has only what is enumerable.
    const given = isOwnReader(reader) ? limits : { maxBodyBytes, signal: limits.signal }
    reader(given).then(resolve, reject)
  })
}

async function submit(
  state: ReceiverState,
  checked: ReturnType<typeof checkBody>,
  { headers }: WebhookRequest,
): Promise<WebhookResponse> {
  if ('rejection' in checked) return refuse(state, checked)
  const { payments } = state.options
  // Payments may have been closed while the body or the secrets were read.
  const reason = notStarted(state.options)
  if (reason !== undefined) return refuse(state, { rejection: { kind: 'unavailable', reason } })
  const { merchant, signedWith, rawBody, content } = checked
  const report = { merchant, source: 'webhook', signedWith, rawBody } as const
  try {
    if ('rejection' in content) {
      await payments.submit({ ...report, problem: content.problem })
      return refuse(state, content)
    }
    const decision = await payments.submit({ ...report, transfer: content.transfer })
    if (decision === undefined) {
      // Payments was not started when the report was stored.
      return refuse(state, { rejection: { kind: 'unavailable', reason: 'starting' } })
    }
    const explain = readHeader(headers, EXPLAIN_HEADER)
    const isExplained = explain !== undefined && 'value' in explain && explain.value === '1'
    return decisionResponse(decision, merchant, isExplained)
  } catch (cause) {
    if (cause instanceof RepositoryError) {
      return refuse(state, { rejection: { kind: 'unavailable', reason: 'store' }, cause })
    }
    const error = errorFacts(cause)
    payments.internals.logger.error('delivery not decided; it is stored and retried', { error })
    throw cause
  }
}

function refuse(
  { options, logRejection }: ReceiverState,
  { rejection, cause }: Rejected,
): WebhookResponse {
  logRejection(rejection, cause)
  return rejectionResponse(rejection, options)
}

function notStarted({ payments }: ResolvedReceiverOptions): 'starting' | 'closing' | undefined {
  const state = payments.state()
  if (state === 'started') return undefined
  return state === 'idle' ? 'starting' : 'closing'
}

async function close(state: ReceiverState): Promise<void> {
  state.isClosed = true
  const { payments, drainTimeoutMs: deadlineMs } = state.options
  await withDeadline(
    { clock: payments.internals.clock, deadlineMs },
    () =>
      new Promise<void>((resolve) => {
        if (state.running === 0) resolve()
        else state.onIdle = resolve
      }),
    () => undefined,
  )
}

/**
 * Express calls a mounted handler with `next` as third argument, and Express 4 ignores its promise: a rejection would end
 * the process. A request of Express has no raw body, so the caller gets an error in any case.
 */
function passError(answer: Promise<WebhookResponse>, next: Next): Promise<WebhookResponse> {
  const problem = 'is not an Express handler; mount tonplugWebhook(receiver) of @tonplug/express'
  const misuse = new ConfigurationError({ option: 'receiver.receive', problem })
  const pass = async (): Promise<void> => {
    const error: unknown = await answer.then(
      () => misuse,
      (thrown: unknown) => (thrown instanceof ConfigurationError ? misuse : thrown),
    )
    next(error)
  }
  void pass()
  return new Promise<WebhookResponse>(() => undefined)
}
