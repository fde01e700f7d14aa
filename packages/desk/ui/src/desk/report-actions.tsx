import { ActionButton } from './action-button.js'
import { AttachButton } from './attach-button.js'
import { RefundButton } from './refund-button.js'
import type { ReportProps } from './report-props.js'

/** Decisions about money that completed an order or never arrived, and reports that are not decided. */
const SETTLED = [undefined, 'paid', 'duplicate', 'failed']

function isSettled(decision: ReportProps['report']['decision']): boolean {
  return SETTLED.includes(decision)
}

/** The actions of an operator on a report. */
export function ReportActions({ report, session, onDone }: ReportProps) {
  const { reportId, txHash, merchant, decision } = report
  const common = { session, onDone }
  return (
    <div class="actions">
      {decision !== 'paid' && decision !== 'refund' && (
        <ActionButton
          {...common}
          action="redecide"
          label="Decide again"
          request={(note) => ({ reportId, note })}
        />
      )}
      {txHash !== '' && decision !== 'refund' && decision !== 'paid' && (
        <AttachButton {...common} transactionHash={txHash} merchant={merchant} />
      )}
      {txHash !== '' && !isSettled(decision) && <RefundButton {...common} report={report} />}
    </div>
  )
}
