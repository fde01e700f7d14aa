import { ActionDialog } from './action-dialog.js'
import { act } from './api-client.js'
import type { ReportProps } from './report-props.js'

/** Proposes a refund; hidden if the operator may not do it. */
export function RefundButton({ report, session, onDone }: ReportProps) {
  const { txHash: transactionHash, merchant, asset } = report
  if (!session.mayAct || !session.actions.includes('refund')) return null
  return (
    <ActionDialog
      label="Propose a refund"
      onSubmit={({ anyJetton, note }) =>
        act(
          'refund',
          {
            transactionHash,
            merchant,
            anyJetton: anyJetton === 'yes' ? anyJetton : undefined,
            note,
          },
          session,
        )
      }
      onDone={onDone}
    >
      {asset !== 'TON' && (
        <label>
          <input type="checkbox" name="anyJetton" value="yes" />
          Also if no order asks for this jetton. Its contracts can keep the 0.1 TON that is attached
          for fees.
        </label>
      )}
    </ActionDialog>
  )
}
