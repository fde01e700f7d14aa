import type { OperatorAction } from '../inbox/inbox-reports.js'
import type { Order } from '../orders/order.js'
import type { OperatorContext } from './context.js'
import type { OperatorNote } from './note.js'

/** Stores what an operator is about to do with reports of this Payments. */
export async function recordActions<O extends Order>(
  { inbox }: OperatorContext<O>,
  { reportIds, action }: { reportIds: readonly string[] } & Pick<OperatorAction, 'action'>,
  { by, reason = '' }: OperatorNote,
): Promise<void> {
  for (const reportId of reportIds) {
    await inbox.reports.recordAction({ reportId, action, by, note: reason })
  }
}
