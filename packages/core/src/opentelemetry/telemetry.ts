import { SpanStatusCode, type Attributes, type Span, type Tracer } from '@opentelemetry/api'
import { errorFacts } from '../shared/error-facts.js'
import type { Meters } from './meters.js'

/** The instruments and the tracer of one instrumentation. */
export interface Telemetry {
  meters: Meters
  tracer: () => Tracer
}

/** Returns the seconds since `beganMs`, a result of `performance.now()`. */
export function secondsSince(beganMs: number): number {
  return (performance.now() - beganMs) / 1000
}

/** Ends the span of failed work. The recorded error has the same fields as in logs: no query parameters, no body. */
export function failSpan(span: Span, error: unknown, attributes: Attributes): void {
  const { name, message, stack } = errorFacts(error)
  span.setAttributes(attributes)
  span.recordException({ name, message, ...(stack === undefined ? {} : { stack }) })
  span.setStatus({ code: SpanStatusCode.ERROR, message })
  span.end()
}
