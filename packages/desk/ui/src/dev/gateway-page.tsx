import { useState } from 'preact/hooks'
import { Announcement } from './announcement.js'
import { CreateForm } from './create-form.js'
import { DeliveryList } from './delivery-list.js'
import { Environment } from './environment.js'
import { Filters } from './filters.js'
import { NO_FILTER } from './filter.js'
import { Problems } from './problems.js'
import type { GatewayState } from './state.js'
import { TransferList } from './transfer-list.js'
import { Wallets } from './wallets.js'

/** The transfers of the gateway and its webhooks. */
export function GatewayPage({ state }: { state: GatewayState }) {
  const [filter, setFilter] = useState(NO_FILTER)
  const [created, setCreated] = useState<string>()
  return (
    <>
      <Problems problems={state.problems} />
      <Announcement attempts={state.attempts} />
      <main class="dev">
        <div class="side">
          <CreateForm tickers={state.tickers} onCreated={setCreated} />
          <Environment state={state} />
          <Wallets wallets={state.wallets} />
        </div>
        <div class="work">
          <Filters filter={filter} onChange={setFilter} />
          <TransferList state={state} filter={filter} created={created} />
          <DeliveryList state={state} filter={filter} />
        </div>
      </main>
    </>
  )
}
