import { shorten } from '../text/hash.js'
import { DeliveryRow } from './delivery-row.js'
import { type Filter, matchesAttempt } from './filter.js'
import { amountOf, type GatewayState } from './state.js'

const OUTCOMES = { pay: 'Paying', fail: 'Failing', resend: 'Sending again' }

/** The requests to the shop, newest first. */
export function DeliveryList({ state, filter }: { state: GatewayState; filter: Filter }) {
  const { attempts, runningActions, transfers } = state
  const requested = new Map(transfers.map((one) => [one.reference, amountOf(one.requested)]))
  const shown = attempts.filter((attempt) => matchesAttempt(attempt, filter))
  return (
    <section class="card" aria-labelledby="deliveries">
      <h2 id="deliveries" tabIndex={-1}>
        Deliveries
      </h2>
      {attempts.length + runningActions.length === 0 && (
        <p class="empty">
          Nothing was delivered yet. Pay a transfer to see its webhook, and the response of your
          shop.
        </p>
      )}
      {attempts.length > 0 && shown.length === 0 && <p class="empty">No delivery matches.</p>}
      <ul id="running-actions" class="plain" aria-label="Running">
        {runningActions.map(({ id, outcome, reference, fault }) => (
          <li key={id}>
            {`${OUTCOMES[outcome]} ${shorten(reference)}`}
            {fault === 'none' ? '…' : `, ${fault.replace('-', ' ')}…`}
          </li>
        ))}
      </ul>
      <ul id="attempt-list" class="plain">
        {shown.map((attempt) => (
          <DeliveryRow
            key={attempt.id}
            attempt={attempt}
            requested={requested.get(attempt.reference ?? '')}
          />
        ))}
      </ul>
    </section>
  )
}
