import { useState } from 'preact/hooks'
import { Wallets } from '../wallets.js'
import type { ChainState } from '../state.js'
import { ChainTime } from './chain-time.js'
import { Faucet } from './faucet.js'
import { LinkForm } from './link-form.js'
import { OrderList } from './order-list.js'
import { PaymentAnnouncement } from './payment-announcement.js'
import { ShopVariables } from './shop-variables.js'

/** The simulated chain: orders to pay, wallets and time. */
export function ChainPage({ state }: { state: ChainState }) {
  const [opened, setOpened] = useState<string>()
  return (
    <>
      <PaymentAnnouncement orders={state.orders} />
      <main class="dev">
        <div class="side">
          <ShopVariables state={state} />
          <ChainTime state={state} />
          <Wallets wallets={state.wallets} />
          <Faucet />
        </div>
        <div class="work single">
          <LinkForm onOpened={setOpened} />
          <OrderList {...state} opened={opened} />
        </div>
      </main>
    </>
  )
}
