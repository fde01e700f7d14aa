import { useState } from 'preact/hooks'
import type { PaymentStory, Session } from '../../../src/api.js'
import { AuditList } from './audit-list.js'
import { LookButton } from './look-button.js'
import { OrderCard } from './order-card.js'
import { ReportCard } from './report-card.js'
import { Outcome, type OutcomeText } from './outcome.js'
import { useResource } from './use-resource.js'

const REFRESH_MS = 5000

/** The whole story of a payment. @param query names an order or a report */
export function PaymentPage({ session, query }: { session: Session; query: string }) {
  const { data, problem, reload } = useResource<PaymentStory>(`api/payment?${query}`, REFRESH_MS)
  const [outcome, setOutcome] = useState<OutcomeText>()
  const onDone = (result: OutcomeText): void => {
    setOutcome(result)
    reload()
  }
  const reference = data?.order?.reference ?? data?.reports[0]?.reference
  return (
    <>
      <header class="page-head">
        <p class="with-action">
          <a href="#/transfers">← Transfers</a>
          <LookButton session={session} onDone={onDone} />
        </p>
        <h2 class="page-title">
          {reference === undefined || reference === '' ? 'Transfer without a reference' : reference}
        </h2>
        <Outcome outcome={outcome} />
      </header>
      <p class="notice" role="alert" hidden={problem === undefined}>
        {problem}
      </p>
      {data?.order && <OrderCard order={data.order} />}
      {data?.reports.map((report) => (
        <ReportCard key={report.reportId} report={report} session={session} onDone={onDone} />
      ))}
      {data?.reports.length === 0 && <p class="empty">No transfer was reported for this order.</p>}
      {data && <AuditList records={data.audit} />}
    </>
  )
}
