import { isSpanContextValid, type SpanContext } from '@opentelemetry/api'
import { BoundedMap } from '../shared/bounded-map.js'

const MAX_CAUSES = 10_000

/** The spans of recently decided deliveries, to link the spans of their handlers to. */
export interface Causes {
  remember(deliveryId: string, span: SpanContext): void
  /** Returns `undefined` for a delivery that another process decided, or that is too old. */
  find(deliveryId: string): SpanContext | undefined
}

export function createCauses(): Causes {
  const spans = new BoundedMap<string, SpanContext>(MAX_CAUSES)
  return {
    remember(deliveryId, span) {
      if (!isSpanContextValid(span)) return
      spans.set(deliveryId, span)
    },
    find: (deliveryId) => spans.get(deliveryId),
  }
}
