import type { OrderList } from '../../../src/api.js'
import { fieldOf } from '../text/fields.js'
import { startOfDay } from '../text/time.js'
import { OrderTable } from './order-table.js'
import { linkTo, ORDER_FIELDS, type OrderFilter } from './route.js'
import { SearchForm } from './search-form.js'
import { useResource } from './use-resource.js'

const STATUSES = [
  ['', 'Any state'],
  ['pending', 'Waiting'],
  ['failed', 'Not sent'],
  ['expired', 'Expired'],
  ['cancelled', 'Cancelled'],
  ['completed', 'Paid'],
] as const

/** Orders by filter, newest first, or by search. */
export function OrdersPage({ filter }: { filter: OrderFilter }) {
  const { from, to, ...others } = filter
  const values = { ...others, from: startOfDay(from, 0), before: startOfDay(to, 1) }
  const path = linkTo('', values).replace('#/', 'api/orders')
  const { data, problem, isLoading } = useResource<OrderList>(path)
  return (
    <>
      <SearchForm
        search={filter.search}
        placeholder="Reference, or a field that the shop searches"
        linkOf={(wanted) => linkTo('orders', { search: wanted })}
      />
      {data?.canList === true && <OrderFilters filter={filter} coins={data.coins} />}
      <section class="card" aria-labelledby="list-title" aria-busy={isLoading}>
        <h2 id="list-title">{filter.search === '' ? 'Orders' : `Orders: “${filter.search}”`}</h2>
        <p class="problem" role="alert" hidden={problem === undefined}>
          {problem}
        </p>
        {data && <Found list={data} filter={filter} />}
      </section>
    </>
  )
}

function Found({ list, filter }: { list: OrderList; filter: OrderFilter }) {
  const { canList, orders, next } = list
  if (!canList && filter.search === '') {
    return (
      <p class="empty" role="status">
        This shop has no list of its orders. Search for a reference instead.
      </p>
    )
  }
  const isEmpty = orders.length === 0
  return (
    <>
      <p class={isEmpty ? 'empty' : 'for-readers'} role="status">
        {isEmpty ? emptyText(next) : `${orders.length} orders`}
      </p>
      {!isEmpty && <OrderTable orders={orders} />}
      <p class="pages">
        {filter.after !== '' && <a href={linkTo('orders', { ...filter, after: '' })}>Newest</a>}
        {next !== undefined && <a href={linkTo('orders', { ...filter, after: next })}>Older</a>}
      </p>
    </>
  )
}

function emptyText(next: string | undefined): string {
  return next === undefined ? 'No order matches.' : 'None of the newest orders matches.'
}

/** Returns the fields of a form that is submitted. */
function readForm(event: SubmitEvent & { currentTarget: HTMLFormElement }): Record<string, string> {
  event.preventDefault()
  const values = new FormData(event.currentTarget)
  return Object.fromEntries(ORDER_FIELDS.map((name) => [name, fieldOf(values, name)]))
}

function OrderFilters({ filter, coins }: { filter: OrderFilter; coins: readonly string[] }) {
  const { status, from, to, amount, coin } = filter
  return (
    <form
      class="filters"
      key={JSON.stringify(filter)}
      aria-label="Filter"
      onSubmit={(event) => {
        location.hash = linkTo('orders', readForm(event))
      }}
    >
      <label>
        State
        <select name="status" defaultValue={status}>
          {STATUSES.map(([value, label]) => (
            <option key={value} value={value} selected={value === status}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <label>
        From
        <input type="date" name="from" defaultValue={from} />
      </label>
      <label>
        To
        <input type="date" name="to" defaultValue={to} />
      </label>
      <label>
        Amount
        <input name="amount" inputMode="decimal" autocomplete="off" defaultValue={amount} />
      </label>
      <label>
        Coin
        <select name="coin" defaultValue={coin}>
          <option value="">Any coin</option>
          {coins.map((ticker) => (
            <option key={ticker} value={ticker} selected={ticker === coin}>
              {ticker}
            </option>
          ))}
        </select>
      </label>
      <button type="submit">Filter</button>
    </form>
  )
}
