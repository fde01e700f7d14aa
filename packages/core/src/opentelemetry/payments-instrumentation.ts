import {
  context,
  createContextKey,
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Span,
  type SpanContext,
} from '@opentelemetry/api'
import { BoundedMap } from '../shared/bounded-map.js'
import type { DecisionEvent } from '../payments/engine/decision-feed.js'
import type { DeliveryEnd, PaymentsInstrumentation } from '../payments/engine/instrumentation.js'
import {
  DECISION_KIND,
  REPORT_ID,
  errorType,
  HANDLER_ATTEMPT,
  HANDLER_NAME,
  HANDLER_OUTCOME,
  ORDER_REFERENCE,
  PAYMENTS_NAME,
  REFUSAL_KIND,
  REFUSAL_REASON,
} from './attributes.js'
import { failSpan, secondsSince, type Telemetry } from './telemetry.js'

type Hook<Name extends 'delivery' | 'handler'> = NonNullable<PaymentsInstrumentation[Name]>

const MAX_CAUSES = 10_000

/** The spans of deliveries that this process decided recently, by report, to link the spans of their handlers to. */
type Causes = Map<string, SpanContext>

/** The span of the delivery that is being decided; the active span may be a child of it. */
const DELIVERY = createContextKey('tonplug delivery')

/** Creates metrics and spans of Payments and its webhook receiver. */
export function paymentsInstrumentation(telemetry: Telemetry): PaymentsInstrumentation {
  const { meters } = telemetry
  const causes: Causes = new BoundedMap(MAX_CAUSES)
  return {
    payments(payments) {
      const unwatch = meters.watchInbox(payments)
      const unsubscribe = payments.onDecision((event) => {
        const attributes = { [PAYMENTS_NAME]: payments.name, [DECISION_KIND]: event.decision.kind }
        meters.instruments().decisions.add(1, attributes)
        noteDecision(causes, event)
      })
      return () => {
        unsubscribe()
        unwatch()
      }
    },
    delivery: observeDeliveries(telemetry),
    handler: observeHandlers(telemetry, causes),
    books: (event) => meters.noteBooks(event),
    background: (_, run) => context.with(ROOT_CONTEXT, run),
  }
}

function noteDecision(causes: Causes, { decision, reportId }: DecisionEvent): void {
  // Set by `observeDeliveries`; absent in background work.
  const span = context.active().getValue(DELIVERY) as Span | undefined
  if (span === undefined) return
  span.setAttributes({ [REPORT_ID]: reportId, [ORDER_REFERENCE]: decision.reference })
  const cause = span.spanContext()
  if (decision.kind !== 'duplicate' && isSpanContextValid(cause)) causes.set(reportId, cause)
}

function observeDeliveries({ meters, tracer }: Telemetry): Hook<'delivery'> {
  return ({ payments, elapsedMs }, run) => {
    const beganMs = performance.now() - elapsedMs
    const { answerDuration, refusals } = meters.instruments()
    const name = { [PAYMENTS_NAME]: payments }
    const span = tracer().startSpan('tonplug.delivery', { attributes: name })
    const inside = trace.setSpan(context.active(), span).setValue(DELIVERY, span)
    const measure = (attributes: Attributes): void =>
      answerDuration.record(secondsSince(beganMs), { ...name, ...attributes })
    const end = (answer: DeliveryEnd): void => {
      const refusal = refusalAttributes(answer)
      if (refusal !== undefined) refusals.add(1, { ...name, ...refusal })
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
  }
}

function observeHandlers({ meters, tracer }: Telemetry, causes: Causes): Hook<'handler'> {
  return async ({ payments, handler, reportId, attempt }, run) => {
    const beganMs = performance.now()
    const cause = causes.get(reportId)
    const who = { [PAYMENTS_NAME]: payments, [HANDLER_NAME]: handler }
    const options = {
      kind: SpanKind.CONSUMER,
      // A handler may run long after the request that caused it.
      root: true,
      links: cause === undefined ? [] : [{ context: cause }],
      attributes: { ...who, [REPORT_ID]: reportId, [HANDLER_ATTEMPT]: attempt },
    }
    const span = tracer().startSpan(`tonplug.handler ${handler}`, options, ROOT_CONTEXT)
    const end = await context.with(trace.setSpan(ROOT_CONTEXT, span), run)
    const { kind } = end.outcome
    const outcome = { [HANDLER_OUTCOME]: kind }
    const { handlerDuration, handlerRetries, deadLetters } = meters.instruments()
    handlerDuration.record(secondsSince(beganMs), { ...who, ...outcome })
    if (kind === 'retry' && 'thrown' in end) handlerRetries.add(1, who)
    if (kind === 'dead') deadLetters.add(1, who)
    // A retried proof has not failed.
    if ('thrown' in end) {
      failSpan(span, end.thrown, { ...outcome, ...errorType(end.thrown) })
      return
    }
    span.setAttributes(outcome)
    span.end()
  }
}

/** Returns the kind of the decision or refusal, and the HTTP status. */
function answerAttributes({ status, decision }: DeliveryEnd): Attributes {
  const kind = 'reference' in decision ? DECISION_KIND : REFUSAL_KIND
  return { 'http.response.status_code': status, [kind]: decision.kind }
}

/** Returns `undefined` when the delivery was decided. */
function refusalAttributes({ decision }: DeliveryEnd): Attributes | undefined {
  if ('reference' in decision) return undefined
  const { kind } = decision
  return 'reason' in decision
    ? { [REFUSAL_KIND]: kind, [REFUSAL_REASON]: decision.reason }
    : { [REFUSAL_KIND]: kind }
}
