import { isSpanContextValid, type SpanContext } from '@opentelemetry/api'

const MOST_CAUSES = 10_000

/** The spans of the deliveries that were decided lately, for the handlers that run because of them. */
export interface Causes {
  remember(deliveryId: string, span: SpanContext): void
  /** `undefined` for a delivery that another process decided, or this one long ago. */
  find(deliveryId: string): SpanContext | undefined
}

export function createCauses(): Causes {
  const spans = new Map<string, SpanContext>()
  return {
    remember(deliveryId, span) {
      if (!isSpanContextValid(span)) return
      spans.set(deliveryId, span)
      const [oldest] = spans.keys()
      if (spans.size > MOST_CAUSES && oldest !== undefined) spans.delete(oldest)
    },
    find: (deliveryId) => spans.get(deliveryId),
  }
}
