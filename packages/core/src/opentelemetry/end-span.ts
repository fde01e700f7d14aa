import { SpanStatusCode, type Attributes, type Span } from '@opentelemetry/api'
import { errorFacts } from '../runtime/error-facts.js'

/** Ends the span of work that failed. Of an error it has what the log has: no parameters of a query, no body. */
export function failSpan(span: Span, error: unknown, attributes: Attributes): void {
  const { name, message, stack } = errorFacts(error)
  span.setAttributes(attributes)
  span.recordException({ name, message, ...(stack === undefined ? {} : { stack }) })
  span.setStatus({ code: SpanStatusCode.ERROR, message })
  span.end()
}
