import type { Session, TransferPage } from '../../../src/api.js'
import { toHex } from '../text/hash.js'
import { ChainLookUp } from './chain-look-up.js'
import { ExportForm } from './export-form.js'
import { OrderTable } from './order-table.js'
import { GROUPS, linkTo, type Route } from './route.js'
import { SearchForm } from './search-form.js'
import { TransferTable } from './transfer-table.js'
import { useResource } from './use-resource.js'

const LIMIT = '50'

/** Payments by group and search, newest first. */
export function TransfersPage({
  session,
  route,
}: {
  session: Session
  route: Extract<Route, { page: 'transfers' }>
}) {
  const { group, search, before } = route
  const values = { group, search, before, limit: LIMIT }
  const path = linkTo('', values).replace('#/', 'api/transfers')
  const { data, problem, isLoading, reload } = useResource<TransferPage>(path)
  const isEmpty = data?.transfers.length === 0
  return (
    <>
      <SearchForm
        search={search}
        placeholder="Order, comment, hash, link, address or amount"
        linkOf={(wanted) => linkTo('transfers', { group, search: toHex(wanted) })}
      />
      <nav class="groups" aria-label="Groups">
        {Object.entries(GROUPS).map(([name, label]) => (
          <a
            key={name}
            href={linkTo('transfers', { group: name, search })}
            aria-current={name === group ? 'page' : undefined}
          >
            {label}
          </a>
        ))}
      </nav>
      {data?.haveOrdersFailed && (
        <p class="problem" role="alert">
          The orders could not be searched, only the payments; see the log of the server.
        </p>
      )}
      {data?.orders && (
        <section class="card" aria-labelledby="orders-title">
          <h2 id="orders-title">Orders: “{search}”</h2>
          <OrderTable orders={data.orders} />
          <p class="pages">
            <a href={linkTo('orders', { search })}>All orders of the search</a>
          </p>
        </section>
      )}
      <section class="card" aria-labelledby="list-title" aria-busy={isLoading}>
        <div class="with-action">
          <h2 id="list-title">{search === '' ? GROUPS[group] : `${GROUPS[group]}: “${search}”`}</h2>
          <button type="button" class="small" onClick={reload}>
            Refresh
          </button>
        </div>
        <p class="problem" role="alert" hidden={problem === undefined}>
          {problem}
        </p>
        <p class={isEmpty ? 'empty' : 'for-readers'} role="status">
          {data && (isEmpty ? 'No payment matches.' : `${data.transfers.length} payments`)}
        </p>
        {data?.unknownHash !== undefined && session.canLookUp && (
          <ChainLookUp
            key={data.unknownHash}
            hash={data.unknownHash}
            session={session}
            onLook={reload}
          />
        )}
        {data && !isEmpty && <TransferTable transfers={data.transfers} />}
        {data && (
          <p class="pages">
            {before !== undefined && <a href={linkTo('transfers', { group, search })}>Newest</a>}
            {data.next !== undefined && (
              <a href={linkTo('transfers', { group, search, before: data.next })}>Older</a>
            )}
          </p>
        )}
      </section>
      <ExportForm />
    </>
  )
}
