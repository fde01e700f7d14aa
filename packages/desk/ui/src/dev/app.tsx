import { useState } from 'preact/hooks'
import { Announcement } from './announcement.js'
import { CreateForm } from './create-form.js'
import { DeliveryList } from './delivery-list.js'
import { Environment } from './environment.js'
import { Filters } from './filters.js'
import { NO_FILTER } from './filter.js'
import { Masthead } from './masthead.js'
import { Problems } from './problems.js'
import { TransferList } from './transfer-list.js'
import { useServerState } from './use-server-state.js'
import { Wallets } from './wallets.js'

/** The page of `tonplug dev`. */
export function App() {
  const { state, connection } = useServerState()
  const [filter, setFilter] = useState(NO_FILTER)
  const [created, setCreated] = useState<string>()
  return (
    <>
      <a class="skip" href="#transfers">
        Skip to the transfers
      </a>
      <Masthead webhookUrl={state?.webhookUrl} connection={connection} />
      {state && (
        <>
          <Problems problems={state.problems} />
          <Announcement attempts={state.attempts} />
          <main class="dev" id="page">
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
      )}
    </>
  )
}
