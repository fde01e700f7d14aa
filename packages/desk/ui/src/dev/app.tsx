import { ChainPage } from './chain/chain-page.js'
import { GatewayPage } from './gateway-page.js'
import { Masthead } from './masthead.js'
import { Tabs, useTab, type Tab } from './tabs.js'
import { useServerState } from './use-server-state.js'

/** The page of `tonplug dev`. */
export function App() {
  const { state, connection } = useServerState()
  const tabs: Tab[] = [
    ...(state?.chain ? (['chain'] as const) : []),
    ...(state?.gateway ? (['gateway'] as const) : []),
  ]
  const [tab, setTab] = useTab(tabs)
  return (
    <>
      <a class="skip" href={tab === 'gateway' ? '#transfers' : '#orders'}>
        {tab === 'gateway' ? 'Skip to the transfers' : 'Skip to the orders'}
      </a>
      <Masthead
        webhookUrl={tab === 'gateway' ? state?.gateway?.webhookUrl : undefined}
        connection={connection}
      />
      <Tabs tabs={tabs} tab={tab} onChange={setTab} />
      {state?.chain && tab === 'chain' && <ChainPage state={state.chain} />}
      {state?.gateway && tab === 'gateway' && <GatewayPage state={state.gateway} />}
    </>
  )
}
