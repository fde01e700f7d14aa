import type { TransferRow } from '../../../src/api.js'
import { Badge } from '../components/badge.js'
import { decisionName, describeDecision } from '../text/decisions.js'

/** The decision about a report, or its state without one, and a warning about dead letters. */
export function DecisionBadges({
  report: { state, decision, hasDeadHandler },
}: {
  report: Pick<TransferRow, 'state' | 'decision' | 'hasDeadHandler'>
}) {
  return (
    <span class="badges">
      {state === 'unreadable' || decision === undefined ? (
        <Badge tone={state === 'unreadable' ? 'bad' : 'wait'}>{state}</Badge>
      ) : (
        <Badge tone={describeDecision(decision).tone}>{decisionName(decision)}</Badge>
      )}
      {hasDeadHandler && <Badge tone="bad">dead letter</Badge>}
    </span>
  )
}
