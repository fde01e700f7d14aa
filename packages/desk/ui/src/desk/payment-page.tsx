import { useEffect, useState } from 'preact/hooks'
import type { PaymentStory, Session } from '../../../src/api.js'
import { LookButton } from './look-button.js'
import { Outcome, type OutcomeText } from './outcome.js'
import { PaymentCard } from './payment-card.js'
import { OrderDetails, PaymentDetails } from './payment-details.js'
import { SituationBadge } from './situation-badge.js'
import { TaskTable } from './task-table.js'
import { Timeline } from './timeline.js'
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
  const title = data && titleOf(data)
  const state = data?.situation.name
  useEffect(() => {
    if (title !== undefined) document.title = `${title}: ${state} – tonplug desk`
  }, [title, state])
  return (
    <>
      <header class="page-head">
        <p class="with-action">
          <a href="#/transfers">← Payments</a>
          <LookButton session={session} onDone={onDone} />
        </p>
        <h2 class="page-title">
          {title ?? 'Payment'} {data && <SituationBadge situation={data.situation} />}
        </h2>
        <Outcome outcome={outcome} />
      </header>
      <p class="notice" role="alert" hidden={problem === undefined}>
        {problem}
      </p>
      {data && <Story story={data} session={session} onDone={onDone} />}
    </>
  )
}

function titleOf({ order, reports }: PaymentStory): string {
  const reference = order?.reference ?? reports[0]?.reference ?? ''
  return reference === '' ? 'Payment without an order' : reference
}

function Story({
  story: { situation, payments, timeline, order, reports },
  session,
  onDone,
}: {
  story: PaymentStory
  session: Session
  onDone: (outcome: OutcomeText) => void
}) {
  return (
    <>
      {payments.length === 0 && (
        <section class="card situation">
          <p class="happened">{situation.happened}</p>
        </section>
      )}
      {payments.map((payment) => (
        <PaymentCard
          key={payment.reportId}
          payment={payment}
          isOnly={payments.length === 1}
          session={session}
          onDone={onDone}
        />
      ))}
      <Timeline events={timeline} />
      <TaskTable reports={reports} session={session} onDone={onDone} />
      {order && <OrderDetails order={order} />}
      {payments.map((payment) => (
        <PaymentDetails
          key={payment.reportId}
          payment={payment}
          reports={reports}
          network={session.network}
        />
      ))}
    </>
  )
}
