import { useId } from 'preact/hooks'
import { CodeBlock } from '../components/code-block.js'
import { Timestamp } from '../components/timestamp.js'
import { formatAmount } from '../text/amount.js'
import { DecisionBadges } from './decision-badges.js'
import { HandlerTable } from './handler-table.js'
import { ReportActions } from './report-actions.js'
import type { ReportProps } from './report-props.js'
import { ReportFacts } from './report-facts.js'
import { RuleTable } from './rule-table.js'

/** A transfer as one door reported it: its decision, rules, proof and handlers. */
export function ReportCard({ report, session, onDone }: ReportProps) {
  const id = useId()
  return (
    <section class="card" aria-labelledby={id}>
      <div class="title-row">
        <h3 id={id}>Report of the {report.source}</h3>
        <DecisionBadges report={report} />
        <strong class="number">{formatAmount(report)}</strong>
        <Timestamp atMs={report.receivedAtMs} />
      </div>
      <ReportActions report={report} session={session} onDone={onDone} />
      <ReportFacts report={report} network={session.network} />
      {report.rules && <RuleTable rules={report.rules} />}
      {report.handlers.length > 0 && (
        <HandlerTable report={report} session={session} onDone={onDone} />
      )}
      <details>
        <summary>Body</summary>
        <CodeBlock name="Body of the report" text={report.body} />
      </details>
    </section>
  )
}
