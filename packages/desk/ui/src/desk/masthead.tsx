import type { Session } from '../../../src/api.js'
import favicon from '../favicon.svg'
import { linkTo, type Route } from './route.js'

/** The title, the pages, and the operator. */
export function Masthead({ session, page }: { session: Session | undefined; page: Route['page'] }) {
  const current = (name: Route['page']) => (page === name ? 'page' : undefined)
  return (
    <header class="masthead">
      <h1>
        <img src={favicon} alt="" width="28" height="28" />
        tonplug desk
      </h1>
      <nav aria-label="Pages">
        <a href={linkTo('overview')} aria-current={current('overview')}>
          Overview
        </a>
        <a href={linkTo('transfers')} aria-current={current('transfers')}>
          Payments
        </a>
        <a href={linkTo('orders')} aria-current={current('orders')}>
          Orders
        </a>
        <a href={linkTo('health')} aria-current={current('health')}>
          Health
        </a>
      </nav>
      {session && (
        <p class="who">
          {[session.name, session.network, session.operator].filter(Boolean).join(' · ')}
        </p>
      )}
    </header>
  )
}
