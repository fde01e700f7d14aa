import { SpanStatusCode, type Attributes, type Span } from '@opentelemetry/api'
import { errorFacts } from '../shared/error-facts.js'

/** Ends the span of failed work. The recorded error has the same fields as in logs: no query parameters, no body. */
export function failSpan(span: Span, error: unknown, attributes: Attributes): void {
  const { name, message, stack } = errorFacts(error)
  span.setAttributes(attributes)
  span.recordException({ name, message, ...(stack === undefined ? {} : { stack }) })
  span.setStatus({ code: SpanStatusCode.ERROR, message })
  span.end()
}
