import { ConfigurationError } from '../errors/configuration.js'
import { RepositoryError } from '../errors/repository.js'
import type { AuthenticTransfer } from '../inbox/store-delivery.js'
import type { Decision, DecisionKind } from '../orders/decision.js'
import type { Order } from '../orders/order.js'
import { runInside } from '../runtime/around.js'
import { errorFacts } from '../runtime/error-facts.js'
import {
  answerDecision,
  answerRefusal,
  type Answer,
  type Refusal,
  type RefusalKind,
} from './answer.js'
import { withDeadline } from './deadline.js'
import { createInFlight } from './in-flight.js'
import { takeIn } from './intake.js'
import type { ResolvedOptions } from './options.js'
import { createRefusalLog } from './refusal-log.js'
import type { WebhookRequest } from './request.js'

/** The way of a request from its arrival to its answer. */
export interface Receive {
  receive: (request: WebhookRequest) => Promise<Answer>
  /** Receives from now on. @throws {ConfigurationError} after `close`. */
  open: () => void
  isOpen: () => boolean
  stats: () => Partial<Record<DecisionKind | RefusalKind, number>>
  /** Refuses what comes from now on; resolves when what is running has ended, or the drain's time is over. */
  close: () => Promise<void>
}

/** Intake, then `settle`, then the answer; within the deadline, or 503. */
export function createReceive<O extends Order>(
  options: ResolvedOptions<O>,
  settle: (authentic: AuthenticTransfer) => Promise<Decision>,
): Receive {
  const logRefusal = createRefusalLog(options.clock, options.logger)
  const counts: Partial<Record<DecisionKind | RefusalKind, number>> = {}
  const inFlight = createInFlight()
  let closed: 'starting' | 'closing' | undefined = 'starting'

  const refuse = (refusal: Refusal, cause?: unknown): Answer => {
    logRefusal(refusal, cause)
    return answerRefusal(refusal, options)
  }
  const unsettled = (cause: unknown): Answer => {
    if (cause instanceof RepositoryError) {
      return refuse({ kind: 'unavailable', reason: 'store' }, cause)
    }
    options.logger.error('a delivery could not be decided; it is tried again', {
      error: errorFacts(cause),
    })
    throw cause
  }
  const process = async (
    request: WebhookRequest,
    progress: Parameters<typeof takeIn>[2],
  ): Promise<Answer> => {
    inFlight.enter()
    try {
      const taken = await takeIn(options, request, progress)
      if (taken.kind === 'refused') return refuse(taken.refusal, taken.cause)
      try {
        return answerDecision(await settle(taken))
      } catch (cause) {
        return unsettled(cause)
      }
    } finally {
      inFlight.leave()
    }
  }
  const receiveInTime = (request: WebhookRequest): Promise<Answer> => {
    let isBodyRead = false
    const onBodyRead = (): void => void (isBodyRead = true)
    const deadlineMs = Math.max(0, options.deadlineMs - (request.elapsedMs ?? 0))
    return withDeadline(
      { clock: options.clock, deadlineMs },
      (signal) => process(request, { signal, onBodyRead }),
      () =>
        refuse(
          isBodyRead ? { kind: 'unavailable', reason: 'deadline' } : { kind: 'body_incomplete' },
        ),
    )
  }

  const answer = async (request: WebhookRequest): Promise<Answer> => {
    const given =
      closed === undefined
        ? await receiveInTime(request)
        : refuse({ kind: 'unavailable', reason: closed })
    const { kind } = given.decision
    counts[kind] = (counts[kind] ?? 0) + 1
    return given
  }

  return {
    receive: (request) =>
      runInside(
        options.instrumentation.delivery,
        () => ({ receiver: options.name, elapsedMs: request.elapsedMs ?? 0 }),
        () => answer(request),
      ),
    open() {
      if (closed === 'closing') {
        const problem = 'the receiver was closed; create a new one'
        throw new ConfigurationError({ option: 'start', problem })
      }
      closed = undefined
    },
    isOpen: () => closed === undefined,
    stats: () => ({ ...counts }),
    async close() {
      closed = 'closing'
      await withDeadline(
        { clock: options.clock, deadlineMs: options.drainTimeoutMs },
        () => inFlight.drained(),
        () => undefined,
      )
    },
  }
}
