import { useEffect, useRef } from 'preact/hooks'
import type { Session } from '../../../src/api.js'
import { TIME_ZONE } from '../text/time.js'
import { HealthPage } from './health-page.js'
import { Masthead } from './masthead.js'
import { OrdersPage } from './orders-page.js'
import { OverviewPage } from './overview-page.js'
import { PaymentPage } from './payment-page.js'
import { parseRoute, type Route, useHash } from './route.js'
import { TransfersPage } from './transfers-page.js'
import { useResource } from './use-resource.js'

const TITLES: Record<Route['page'], string> = {
  transfers: 'Payments',
  payment: 'Payment',
  overview: 'Overview',
  orders: 'Orders',
  health: 'Health',
}

/** The desk. */
export function App() {
  const { data: session, problem } = useResource<Session>('api/session')
  const route = parseRoute(useHash())
  const main = useRef<HTMLElement>(null)
  const { page } = route
  const shownBefore = useRef(page)
  useEffect(() => {
    // The page of a payment names its order and state.
    if (page !== 'payment') document.title = `${TITLES[page]} – tonplug desk`
    // Screen readers and the keyboard continue at the new page.
    if (shownBefore.current !== page) main.current?.focus()
    shownBefore.current = page
  }, [page])
  return (
    <>
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault()
          main.current?.focus()
        }}
      >
        Skip to the content
      </a>
      <Masthead session={session} page={page} />
      {problem !== undefined && (
        <p class="notice" role="alert">
          {problem}
        </p>
      )}
      <main id="main" tabIndex={-1} ref={main} aria-label={TITLES[page]}>
        {session && <Page session={session} route={route} />}
      </main>
      <footer class="hint">Times are in the time zone {TIME_ZONE}.</footer>
    </>
  )
}

function Page({ session, route }: { session: Session; route: Route }) {
  switch (route.page) {
    case 'transfers':
      return <TransfersPage session={session} route={route} />
    case 'payment':
      return <PaymentPage session={session} query={route.query} />
    case 'orders':
      return <OrdersPage filter={route.filter} />
    case 'overview':
      return <OverviewPage session={session} />
    case 'health':
      return <HealthPage session={session} />
  }
}
