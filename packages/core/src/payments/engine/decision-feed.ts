import type { Decision } from '../orders/decision.js'
import type { ReportSource } from '../orders/order.js'
import { errorFacts } from '../../shared/error-facts.js'
import type { Logger } from '../../shared/logger.js'
import type { TransferData } from '../orders/payload.js'
import { DECISIONS } from './decision-table.js'

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

/** Logs decisions and calls listeners. An error of a listener is logged and has no other effect. */
export function createDecisionFeed(logger: Logger) {
  // Objects, so that one function can subscribe twice.
  const subscriptions = new Set<{ listener: DecisionListener }>()
  return {
    subscribe: (listener: DecisionListener): (() => void) => {
      const subscription = { listener }
      subscriptions.add(subscription)
      return () => void subscriptions.delete(subscription)
    },
    publish(event: DecisionEvent): void {
      logDecision(logger, event)
      for (const { listener } of subscriptions) void call(listener, event, logger)
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

/** Logs one line per decision with its facts: references, amounts and hashes; never the body. */
function logDecision(logger: Logger, event: DecisionEvent): void {
  const { decision, merchant, source, reportId } = event
  const { kind } = decision
  const fields: Record<string, unknown> = { kind, reportId, source }
  if (merchant !== '') fields['merchant'] = merchant
  logger[DECISIONS[kind].logLevel](`report decided: ${kind}`, Object.assign(fields, decision))
}
