import { RepositoryError } from '../orders/errors.js'
import type { DecisionKind } from '../orders/decision.js'
import { runInside } from '../shared/around.js'
import { errorFacts } from '../shared/error-facts.js'
import {
  answerDecision,
  answerRefusal,
  type Answer,
  type Refusal,
  type RefusalKind,
} from './answer.js'
import { withDeadline } from '../shared/deadline.js'
import { createInFlight } from '../shared/in-flight.js'
import { checkBody, readBody, type UncheckedBody } from './intake.js'
import type { ResolvedReceiverOptions } from './options.js'
import { createRefusalLog } from './refusal-log.js'
import type { WebhookRequest } from './request.js'

/** Turns requests into answers. */
export interface Receive {
  receive: (request: WebhookRequest) => Promise<Answer>
  stats: () => Partial<Record<DecisionKind | RefusalKind, number>>
  /** Refuses further requests; resolves when the running ones have ended, or the drain's time is over. */
  close: () => Promise<void>
}

type Hold = NonNullable<WebhookRequest['hold']>

/** A request, and its `hold`, if any. */
interface Arrival {
  request: WebhookRequest
  hold: Hold | undefined
}

/** Reads and checks the body, submits the transfer and returns the answer; within the deadline, or 503. */
export function createReceive(options: ResolvedReceiverOptions): Receive {
  const { payments } = options
  const { clock, logger } = payments
  const logRefusal = createRefusalLog(clock, logger)
  const counts: Partial<Record<DecisionKind | RefusalKind, number>> = {}
  const inFlight = createInFlight()
  let isClosed = false

  const refuse = (refusal: Refusal, cause?: unknown): Answer => {
    logRefusal(refusal, cause)
    return answerRefusal(refusal, options)
  }
  const unsettled = (cause: unknown): Answer => {
    if (cause instanceof RepositoryError) {
      return refuse({ kind: 'unavailable', reason: 'store' }, cause)
    }
    logger.error('delivery not decided; it is stored and retried', { error: errorFacts(cause) })
    throw cause
  }
  const notStartedBecause = (): 'starting' | 'closing' | undefined => {
    switch (payments.state()) {
      case 'idle':
        return 'starting'
      case 'closed':
        return 'closing'
      case 'started':
        return undefined
    }
  }
  const decide = async (request: WebhookRequest, body: UncheckedBody): Promise<Answer> => {
    const checked = await checkBody(options, request, body)
    if (checked.kind === 'refused') return refuse(checked.refusal, checked.cause)
    const { merchant, signedWith, rawBody, content } = checked
    // Payments may have been closed while the body or the secrets were read.
    const reason = notStartedBecause()
    if (reason !== undefined) return refuse({ kind: 'unavailable', reason })
    const report = { merchant, source: 'webhook', signedWith, rawBody } as const
    try {
      if ('refusal' in content) {
        await payments.submit({ ...report, problem: content.problem })
        return refuse(content.refusal, content.cause)
      }
      const decision = await payments.submit({ ...report, transfer: content.transfer })
      // Payments was not started when the report was stored.
      return decision === undefined
        ? refuse({ kind: 'unavailable', reason: 'starting' })
        : answerDecision(decision)
    } catch (cause) {
      return unsettled(cause)
    }
  }
  const process = (
    { request, hold }: Arrival,
    { signal, onDecide }: { signal: AbortSignal; onDecide: () => void },
  ): Promise<Answer> =>
    inFlight.track(async () => {
      const body = await readBody(options, request, signal)
      if (body.kind === 'refused') return refuse(body.refusal, body.cause)
      const resume = (): Promise<Answer> => {
        onDecide()
        return decide(request, body)
      }
      if (hold === undefined) return await resume()
      return (await hold(resume)) ?? refuse({ kind: 'body_incomplete' })
    })
  const receiveInTime = (arrival: Arrival): Promise<Answer> => {
    let isDeciding = false
    const onDecide = (): void => void (isDeciding = true)
    const deadlineMs = Math.max(0, options.deadlineMs - (arrival.request.elapsedMs ?? 0))
    return withDeadline(
      { clock, deadlineMs },
      (signal) => process(arrival, { signal, onDecide }),
      () =>
        refuse(
          isDeciding ? { kind: 'unavailable', reason: 'deadline' } : { kind: 'body_incomplete' },
        ),
    )
  }

  const answer = async (arrival: Arrival): Promise<Answer> => {
    const reason = isClosed ? 'closing' : notStartedBecause()
    const given =
      reason === undefined ? await receiveInTime(arrival) : refuse({ kind: 'unavailable', reason })
    const { kind } = given.decision
    counts[kind] = (counts[kind] ?? 0) + 1
    return given
  }

  const { delivery } = payments.instrumentation
  const watch = (elapsedMs: number, work: () => Promise<Answer>): Promise<Answer> =>
    runInside(delivery, () => ({ payments: payments.name, elapsedMs }), work)
  /** Starts the span when a held request resumes, in that async context; otherwise when it ends. */
  const watchHeld = async (request: WebhookRequest, hold: Hold): Promise<Answer> => {
    const beganMs = clock.nowMs() - (request.elapsedMs ?? 0)
    let isWatched = false
    const watchOnce = (work: () => Promise<Answer>): Promise<Answer> => {
      if (isWatched) return work()
      isWatched = true
      return watch(clock.nowMs() - beganMs, work)
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
    stats: () => ({ ...counts }),
    async close() {
      isClosed = true
      await withDeadline(
        { clock, deadlineMs: options.drainTimeoutMs },
        () => inFlight.drained(),
        () => undefined,
      )
    },
  }
}
