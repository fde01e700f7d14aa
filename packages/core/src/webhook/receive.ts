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
import { checkBody, readBody, type UncheckedBody } from './intake.js'
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

type Hold = NonNullable<WebhookRequest['hold']>

/** A request, and what holds it up, if anything does. */
interface Arrival {
  request: WebhookRequest
  hold: Hold | undefined
}

/** The body, its checks, then `settle`, then the answer; within the deadline, or 503. */
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
  const decide = async (request: WebhookRequest, body: UncheckedBody): Promise<Answer> => {
    const checked = await checkBody(options, request, body)
    if (checked.kind === 'refused') return refuse(checked.refusal, checked.cause)
    try {
      return answerDecision(await settle(checked))
    } catch (cause) {
      return unsettled(cause)
    }
  }
  const process = async (
    { request, hold }: Arrival,
    { signal, onDecide }: { signal: AbortSignal; onDecide: () => void },
  ): Promise<Answer> => {
    inFlight.enter()
    try {
      const body = await readBody(options, request, signal)
      if (body.kind === 'refused') return refuse(body.refusal, body.cause)
      const goOn = (): Promise<Answer> => {
        onDecide()
        return decide(request, body)
      }
      if (hold === undefined) return await goOn()
      return (await hold(goOn)) ?? refuse({ kind: 'body_incomplete' })
    } finally {
      inFlight.leave()
    }
  }
  const receiveInTime = (arrival: Arrival): Promise<Answer> => {
    let isDeciding = false
    const onDecide = (): void => void (isDeciding = true)
    const deadlineMs = Math.max(0, options.deadlineMs - (arrival.request.elapsedMs ?? 0))
    return withDeadline(
      { clock: options.clock, deadlineMs },
      (signal) => process(arrival, { signal, onDecide }),
      () =>
        refuse(
          isDeciding ? { kind: 'unavailable', reason: 'deadline' } : { kind: 'body_incomplete' },
        ),
    )
  }

  const answer = async (arrival: Arrival): Promise<Answer> => {
    const given =
      closed === undefined
        ? await receiveInTime(arrival)
        : refuse({ kind: 'unavailable', reason: closed })
    const { kind } = given.decision
    counts[kind] = (counts[kind] ?? 0) + 1
    return given
  }

  const { delivery } = options.instrumentation
  const watch = (elapsedMs: number, work: () => Promise<Answer>): Promise<Answer> =>
    runInside(delivery, () => ({ receiver: options.name, elapsedMs }), work)
  /** Begins to watch where the request goes on, so that the context of that holds inside; at its end, if it never does. */
  const watchHeld = async (request: WebhookRequest, hold: Hold): Promise<Answer> => {
    const beganMs = options.clock.nowMs() - (request.elapsedMs ?? 0)
    let isWatched = false
    const watchOnce = (work: () => Promise<Answer>): Promise<Answer> => {
      if (isWatched) return work()
      isWatched = true
      return watch(options.clock.nowMs() - beganMs, work)
    }
    const holdWatched: Hold = (decide) =>
      hold(() => {
        let decided!: Promise<Answer>
        void watchOnce(() => {
          decided = decide()
          return given
        })
        return decided
      })
    const given = answer({ request, hold: holdWatched })
    await given.catch(() => undefined)
    return watchOnce(() => given)
  }

  return {
    receive: (request) => {
      const { hold, elapsedMs = 0 } = request
      return hold === undefined || delivery === undefined
        ? watch(elapsedMs, () => answer({ request, hold }))
        : watchHeld(request, hold)
    },
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
