import {
  context,
  createContextKey,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Span,
} from '@opentelemetry/api'
import type { Answer } from '../webhook/answer.js'
import type { DecisionEvent } from '../webhook/decision-feed.js'
import type { HandlerRunEnd, ReceiverInstrumentation } from '../webhook/instrumentation.js'
import {
  DECISION_KIND,
  DELIVERY_ID,
  errorType,
  HANDLER_ATTEMPT,
  HANDLER_NAME,
  HANDLER_OUTCOME,
  ORDER_REFERENCE,
  RECEIVER,
  REFUSAL_KIND,
  REFUSAL_REASON,
} from './attributes.js'
import { createCauses } from './causes.js'
import { failSpan } from './end-span.js'
import type { Telemetry } from './instrumentation.js'
import type { Instruments } from './instruments.js'
import { secondsSince } from './seconds-since.js'

/** The span of the delivery that is being decided. The active span may be any inside of it. */
const DELIVERY = createContextKey('tonplug delivery')

/** Metrics and spans of receivers. */
export function receiverInstrumentation({ meters, tracer }: Telemetry): ReceiverInstrumentation {
  const causes = createCauses()

  const noteDecision = ({ decision, deliveryId }: DecisionEvent): void => {
    // Only `delivery` below sets it; a sweep has none.
    const span = context.active().getValue(DELIVERY) as Span | undefined
    if (span === undefined) return
    span.setAttributes({ [DELIVERY_ID]: deliveryId, [ORDER_REFERENCE]: decision.reference })
    if (decision.kind !== 'duplicate') causes.remember(deliveryId, span.spanContext())
  }

  return {
    receiver(receiver) {
      const unwatch = meters.watchInbox(receiver)
      const unsubscribe = receiver.subscribe((event) => {
        const attributes = { [RECEIVER]: receiver.name, [DECISION_KIND]: event.decision.kind }
        meters.instruments().decisions.add(1, attributes)
        noteDecision(event)
      })
      return () => {
        unsubscribe()
        unwatch()
      }
    },
    delivery({ receiver, elapsedMs }, run) {
      const beganMs = performance.now() - elapsedMs
      const { answerDuration, refusals } = meters.instruments()
      const span = tracer().startSpan('tonplug.delivery', { attributes: { [RECEIVER]: receiver } })
      const inside = trace.setSpan(context.active(), span).setValue(DELIVERY, span)
      const measure = (attributes: Attributes): void =>
        answerDuration.record(secondsSince(beganMs), { [RECEIVER]: receiver, ...attributes })
      const end = (answer: Answer): void => {
        const refusal = refusalAttributes(answer)
        if (refusal !== undefined) refusals.add(1, { [RECEIVER]: receiver, ...refusal })
        const attributes = answerAttributes(answer)
        measure(attributes)
        span.setAttributes({ ...attributes, ...refusal })
        if (answer.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
        span.end()
      }
      const fail = (error: unknown): void => {
        measure(errorType(error))
        failSpan(span, error, errorType(error))
      }
      return context.with(inside, run).then(end, fail)
    },
    async handler({ receiver, handler, deliveryId, attempt }, run) {
      const beganMs = performance.now()
      const cause = causes.find(deliveryId)
      const who = { [RECEIVER]: receiver, [HANDLER_NAME]: handler }
      const options = {
        kind: SpanKind.CONSUMER,
        // It may run long after the request, and for another one than the request that woke the server.
        root: true,
        links: cause === undefined ? [] : [{ context: cause }],
        attributes: { ...who, [DELIVERY_ID]: deliveryId, [HANDLER_ATTEMPT]: attempt },
      }
      const span = tracer().startSpan(`tonplug.handler ${handler}`, options, ROOT_CONTEXT)
      const end = await context.with(trace.setSpan(ROOT_CONTEXT, span), run)
      countRun(meters.instruments(), end, { seconds: secondsSince(beganMs), who })
      const outcome = { [HANDLER_OUTCOME]: end.outcome.kind }
      // A proof that has to look again has not failed.
      if ('thrown' in end) {
        failSpan(span, end.thrown, { ...outcome, ...errorType(end.thrown) })
        return
      }
      span.setAttributes(outcome)
      span.end()
    },
    background: (_, run) => context.with(ROOT_CONTEXT, run),
  }
}

function countRun(
  { handlerDuration, handlerRetries, deadLetters }: Instruments,
  end: HandlerRunEnd,
  { seconds, who }: { seconds: number; who: Attributes },
): void {
  const { kind } = end.outcome
  handlerDuration.record(seconds, { ...who, [HANDLER_OUTCOME]: kind })
  if (kind === 'retry' && 'thrown' in end) handlerRetries.add(1, who)
  if (kind === 'dead') deadLetters.add(1, who)
}

/** The kind of a decision, or of a refusal, and the status. */
function answerAttributes({ status, decision }: Answer): Attributes {
  const kind = 'reference' in decision ? DECISION_KIND : REFUSAL_KIND
  return { 'http.response.status_code': status, [kind]: decision.kind }
}

/** `undefined` when the delivery was decided. */
function refusalAttributes({ decision }: Answer): Attributes | undefined {
  if ('reference' in decision) return undefined
  const { kind } = decision
  return 'reason' in decision
    ? { [REFUSAL_KIND]: kind, [REFUSAL_REASON]: decision.reason }
    : { [REFUSAL_KIND]: kind }
}
