import type { Decision } from '../orders/decision.js'
import { errorFacts } from '../runtime/error-facts.js'
import type { Logger } from '../runtime/logger.js'
import type { TransferData } from './payload.js'

/** What a subscriber learns of a decision, once it is durable. */
export interface DecisionEvent {
  decision: Decision
  transfer: TransferData
  deliveryId: string
}

export type DecisionListener = (event: DecisionEvent) => unknown

/** Tells subscribers of decisions. What a listener throws is logged and disturbs nobody. */
export function createDecisionFeed(logger: Logger) {
  const listeners = new Set<DecisionListener>()
  return {
    subscribe: (listener: DecisionListener): (() => void) => {
      // Wrapped, so that one function can subscribe twice.
      const entry: DecisionListener = (event) => listener(event)
      listeners.add(entry)
      return () => void listeners.delete(entry)
    },
    publish(event: DecisionEvent): void {
      for (const listener of listeners) {
        void tell(listener, event, logger)
      }
    },
  }
}

/** Begins before it returns, so that listeners hear of decisions in their order. */
async function tell(
  listener: DecisionListener,
  event: DecisionEvent,
  logger: Logger,
): Promise<void> {
  try {
    await listener(event)
  } catch (error) {
    logger.error('a subscriber threw; the decision stands', { error: errorFacts(error) })
  }
}
