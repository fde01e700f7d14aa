import type { Decision } from '../orders/decision.js'
import type { ReportSource } from '../orders/order.js'
import { errorFacts } from '../shared/error-facts.js'
import type { Logger } from '../shared/logger.js'
import type { TransferData } from '../orders/payload.js'

/** A decision, once it is durable. */
export interface DecisionEvent {
  decision: Decision
  transfer: TransferData
  /** `''` unless one Payments serves several merchants. */
  merchant: string
  source: ReportSource
  reportId: string
}

export type DecisionListener = (event: DecisionEvent) => unknown

export type DecisionFeed = ReturnType<typeof createDecisionFeed>

/** Calls listeners for decisions. An error of a listener is logged and has no other effect. */
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
      for (const listener of listeners) void call(listener, event, logger)
    },
  }
}

/** Calls the listener synchronously, so that listeners receive decisions in sequence. */
async function call(
  listener: DecisionListener,
  event: DecisionEvent,
  logger: Logger,
): Promise<void> {
  try {
    await listener(event)
  } catch (error) {
    logger.error('decision listener failed; the decision stands', { error: errorFacts(error) })
  }
}
