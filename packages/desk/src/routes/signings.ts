import type { Inbox } from '@tonplug/core'
import type { Operator } from '@tonplug/core/operator'
import type { RefundSigning, SigningResult } from '../api.js'

/** Records which operator has handed the request of a refund to a wallet. Nothing else can see what a wallet has got. */
export interface Signings {
  /** Returns the signing that stands; `undefined` when a wallet may get the request. */
  read(reportId: string): Promise<RefundSigning | undefined>
  /**
   * Records a signing unless another one stands. It stands until `end`, and as long as the refund can be signed. Of operators who
   * begin at the same moment, on any number of servers, one may sign or none.
   */
  begin(reportId: string, by: string): Promise<SigningResult>
  /** Ends the operator's own signing, which its wallet has declined. Another one is not changed. */
  end(reportId: string, signing: Pick<RefundSigning, 'id' | 'by'>): Promise<SigningResult>
}

/** Creates the record of signings in the inbox. */
export function createSignings({
  operator,
  inbox: { reports },
}: {
  operator: Pick<Operator, 'refundProgress'>
  inbox: Pick<Inbox, 'reports'>
}): Signings {
  const standing = async (reportId: string): Promise<RefundSigning[]> => {
    const actions = await reports.listActions({ reportIds: [reportId] })
    const ended = new Set(
      actions.filter(({ action }) => action === 'end_signing').map(({ note }) => note),
    )
    return actions
      .filter(({ action, note }) => action === 'sign' && !ended.has(note))
      .map(({ note: id, by, atMs: sinceMs }) => ({ id, by, sinceMs }))
  }
  return {
    read: async (reportId) => (await standing(reportId))[0],
    async begin(reportId, by) {
      const progress = await operator.refundProgress(reportId)
      if (progress?.state !== 'open') return { problem: 'The refund can no longer be signed.' }
      const [former] = await standing(reportId)
      if (former !== undefined) return refusal(former)
      const id = globalThis.crypto.randomUUID()
      await reports.recordAction({ reportId, action: 'sign', by, note: id })
      // Each one reads when its record is stored: of two, the later read returns both.
      const all = await standing(reportId)
      const other = all.find((one) => one.id !== id)
      if (other === undefined && all.length === 1) return { id }
      await reports.recordAction({ reportId, action: 'end_signing', by, note: id })
      return other === undefined ? { problem: 'The refund no longer exists.' } : refusal(other)
    },
    async end(reportId, { id, by }) {
      const own = (await standing(reportId)).find((one) => one.id === id && one.by === by)
      if (own !== undefined) {
        await reports.recordAction({ reportId, action: 'end_signing', by, note: id })
      }
      return {}
    },
  }
}

function refusal({ by }: RefundSigning): SigningResult {
  return { problem: `${by} is signing this refund.` }
}
