import type { DecisionKind } from '../orders/decision.js'
import { RepositoryError } from '../orders/errors.js'
import { runInside } from '../shared/around.js'
import { ConfigurationError } from '../shared/configuration-error.js'
import { withDeadline } from '../shared/deadline.js'
import { errorFacts } from '../shared/error-facts.js'
import { answerDecision, answerRefusal, type Answer, type Refusal } from './answer.js'
import { createDeadlines, type Deadlines } from './deadlines.js'
import { createFetchHandler } from './fetch-handler.js'
import {
  checkBody,
  checkHead,
  checkLength,
  refuseUnread,
  resolveSecrets,
  type Refused,
} from './intake.js'
import {
  resolveReceiverOptions,
  type ResolvedReceiverOptions,
  type WebhookReceiverOptions,
} from './options.js'
import { checkRequest } from './check-request.js'
import { toBytes } from './raw-bytes.js'
import { createRefusalLog } from './refusal-log.js'
import { readHeader, type WebhookRequest } from './request.js'

/** Sent by development tools: with the value `1`, the response to an authentic delivery contains the decision. */
const EXPLAIN_HEADER = 'x-tonplug-explain'

type Counts = Partial<Record<DecisionKind | Refusal['kind'], number>>

/** A door of Payments: verifies webhook requests and submits the transfers that they report. */
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
  receive(request: WebhookRequest): Promise<Answer>
  /**
   * `receive` for servers that use Fetch: Hono, Next, Bun, Deno, Workers.
   * @throws {ConfigurationError} for anything but a Fetch `Request`, for example a context of Hono or a request of Express.
   */
  handle(request: Request): Promise<Response>
  /** Returns the number of requests by outcome since the receiver was created. */
  stats(): Readonly<Counts>
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
  const door: Door = {
    options,
    logRefusal: createRefusalLog(payments.clock, payments.logger),
    deadlines: createDeadlines(payments.clock, deadlineMs),
    counts: {},
    running: 0,
    isClosed: false,
  }
  const { delivery } = payments.instrumentation
  const receiveInside = (request: WebhookRequest): Promise<Answer> => {
    try {
      checkRequest(request)
    } catch (error) {
      return Promise.reject(error)
    }
    if (delivery === undefined) return receive(door, request)
    const { elapsedMs = 0 } = request
    return runInside(
      delivery,
      () => ({ payments: payments.name, elapsedMs }),
      () => receive(door, request),
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
    stats: () => ({ ...door.counts }),
    close: () => (closed ??= close(door)),
  }
}

type Next = (error: unknown) => void

/** The parts of a receiver, and its state. */
interface Door {
  options: ResolvedReceiverOptions
  logRefusal: ReturnType<typeof createRefusalLog>
  deadlines: Deadlines
  counts: Counts
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
  /** Aborts reading the body; absent for a body that is given. */
  controller?: AbortController
}

/** Returns the answer to a request: within the deadline, or 503 while the work continues. */
function receive(door: Door, request: WebhookRequest): Promise<Answer> {
  const arrival: Arrival = { request, isAnswered: false, isDeciding: false }
  return new Promise((resolve, reject) => {
    const respond = (answer: Answer): void => {
      if (arrival.isAnswered) return
      arrival.isAnswered = true
      const { kind } = answer.decision
      door.counts[kind] = (door.counts[kind] ?? 0) + 1
      resolve(answer)
    }
    const reason = door.isClosed ? 'closing' : notStarted(door.options)
    if (reason === undefined) {
      const expire = (): void => respond(refuseLate(door, arrival))
      const cancel = door.deadlines.add(expire, request.elapsedMs ?? 0)
      settle(door, arrival, cancel).then(respond, reject)
    } else {
      respond(refuse(door, { refusal: { kind: 'unavailable', reason } }))
    }
  })
}

function refuseLate(door: Door, { isDeciding, controller }: Arrival): Answer {
  controller?.abort()
  return refuse(door, {
    refusal: isDeciding ? { kind: 'unavailable', reason: 'deadline' } : { kind: 'body_incomplete' },
  })
}

/** Reads and checks the body, then submits the transfer. */
async function settle(door: Door, arrival: Arrival, onEnd: () => void): Promise<Answer> {
  const { options } = door
  door.running++
  try {
    const { request } = arrival
    const head = checkHead(options, request)
    if ('refusal' in head) return refuse(door, head)
    let given: unknown = request.rawBody
    if (typeof request.rawBody === 'function') {
      const { signal } = (arrival.controller = new AbortController())
      try {
        given = await request.rawBody({ maxBodyBytes: options.maxBodyBytes, signal })
      } catch (error) {
        return refuse(door, refuseUnread(error, options.maxBodyBytes))
      }
    }
    const rawBody = toBytes(given)
    const tooLong = checkLength(rawBody, options.maxBodyBytes)
    if (tooLong !== undefined) return refuse(door, tooLong)
    arrival.isDeciding = true
    const signers =
      typeof options.secrets === 'function'
        ? await resolveSecrets(options.secrets, request)
        : { merchant: '', list: options.secrets }
    if ('refusal' in signers) return refuse(door, signers)
    const checked = checkBody(options, { rawBody, digest: head.digest, signers })
    return await submit(door, checked, request)
  } finally {
    onEnd()
    door.running--
    if (door.running === 0) door.onIdle?.()
  }
}

async function submit(
  door: Door,
  checked: ReturnType<typeof checkBody>,
  { headers }: WebhookRequest,
): Promise<Answer> {
  if ('refusal' in checked) return refuse(door, checked)
  const { payments } = door.options
  // Payments may have been closed while the body or the secrets were read.
  const reason = notStarted(door.options)
  if (reason !== undefined) return refuse(door, { refusal: { kind: 'unavailable', reason } })
  const { merchant, signedWith, rawBody, content } = checked
  const report = { merchant, source: 'webhook', signedWith, rawBody } as const
  try {
    if ('refusal' in content) {
      await payments.submit({ ...report, problem: content.problem })
      return refuse(door, content)
    }
    const decision = await payments.submit({ ...report, transfer: content.transfer })
    if (decision === undefined) {
      // Payments was not started when the report was stored.
      return refuse(door, { refusal: { kind: 'unavailable', reason: 'starting' } })
    }
    const explain = readHeader(headers, EXPLAIN_HEADER)
    const isExplained = explain !== undefined && 'value' in explain && explain.value === '1'
    return answerDecision(decision, merchant, isExplained)
  } catch (cause) {
    if (cause instanceof RepositoryError) {
      return refuse(door, { refusal: { kind: 'unavailable', reason: 'store' }, cause })
    }
    const error = errorFacts(cause)
    payments.logger.error('delivery not decided; it is stored and retried', { error })
    throw cause
  }
}

function refuse({ options, logRefusal }: Door, { refusal, cause }: Refused): Answer {
  logRefusal(refusal, cause)
  return answerRefusal(refusal, options)
}

function notStarted({ payments }: ResolvedReceiverOptions): 'starting' | 'closing' | undefined {
  const state = payments.state()
  if (state === 'started') return undefined
  return state === 'idle' ? 'starting' : 'closing'
}

async function close(door: Door): Promise<void> {
  door.isClosed = true
  const { payments, drainTimeoutMs: deadlineMs } = door.options
  await withDeadline(
    { clock: payments.clock, deadlineMs },
    () =>
      new Promise<void>((resolve) => {
        if (door.running === 0) resolve()
        else door.onIdle = resolve
      }),
    () => undefined,
  )
}

/**
 * Express calls a mounted handler with `next` as third argument, and Express 4 ignores its promise: a rejection would end
 * the process. A request of Express has no raw body, so the caller gets an error in any case.
 */
function passError(answer: Promise<Answer>, next: Next): Promise<Answer> {
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
  return new Promise<Answer>(() => undefined)
}
