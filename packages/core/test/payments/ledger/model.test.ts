import { describe, expect, it } from 'vitest'
import type { Credit } from '../../../src/payments/ledger/credit.js'
import { createRandom } from '@tonplug/test-support/random'
import { link, type ReportedPayment } from '../../../src/payments/ledger/link.js'

// A tiny store and its actors, in every order of their statements, with a crash after each one. It tests the rules of the
// ledger: who stores first, who looks, and which statement is conditional.

const WALLET = '0:aa'
const PRICE = 10n
const SEEDS = 300

interface Row {
  name: string
  report: ReportedPayment & { txHash: string }
  state: 'new' | 'paid' | 'waits' | 'duplicate'
}

/** The rows of a database. */
interface Store {
  reports: Map<string, Row>
  credits: Map<string, Credit>
  /** The order or the refund that uses a credit. */
  uses: Map<string, string>
  /** The credit of each payment of an order. */
  links: Map<string, string>
  /** The payment of each completed order. */
  orders: Map<string, string>
  /** Credits that are extra payments, and their orders. */
  told: Map<string, string>
  refunds: Set<string>
}

/** One step is one statement: nothing else happens within it. */
type Actor = (store: Store) => Generator<void, void, void>

/** One of two equal payments that a transaction of the payer made. */
function credit(id: string, txHash: string): Credit {
  const fields = { sender: '0:01', recipient: WALLET, value: PRICE, bodyHash: 'body', fees: 0n }
  return {
    id,
    account: WALLET,
    wallet: WALLET,
    txHash,
    asset: 'TON',
    rawAmount: PRICE,
    traceId: 't0',
    utime: 0,
    route: [
      {
        ...fields,
        hash: `message of ${id}`,
        transaction: txHash,
        isShared: false,
        isCommentEncrypted: false,
      },
    ],
    root: { transaction: 't0', isShared: true },
  }
}

const ONE = credit('c1', 't1')
const TWO = credit('c2', 't2')

/** Claims a credit for a use: one conditional statement. A payment of an order has one credit. */
function claim({ uses, links }: Store, id: string, use: string, payment?: string): boolean {
  const key = payment === undefined ? undefined : `${use} by ${payment}`
  if ((uses.get(id) ?? use) !== use) return false
  if (key !== undefined && (links.get(key) ?? id) !== id) return false
  uses.set(id, use)
  if (key !== undefined) links.set(key, id)
  return true
}

/** Links a report to a credit that fits, and completes its order, in one statement. */
function linkReport(store: Store, { name, report }: Row): Row['state'] {
  const order = `${name} ${report.order}`
  const payment = store.orders.get(order)
  if (payment !== undefined && payment !== report.txHash) return 'duplicate'
  if (store.links.has(`${order} by ${report.txHash}`)) return 'paid'
  const used = new Set(store.uses.keys())
  const known = [...store.credits.values()]
  const found = link(report, known, { isWhole: true, used, named: new Map() })
  const id = found.kind === 'linked' ? found.credits[0].credit.id : undefined
  if (id === undefined || !claim(store, id, order, report.txHash)) {
    return payment === undefined ? 'waits' : 'paid'
  }
  store.orders.set(order, report.txHash)
  return 'paid'
}

const webhook = (name: string, txHash: string): Actor =>
  function* (store) {
    const facts = { recipient: WALLET, asset: 'TON', rawAmount: PRICE, bodyHash: 'body' }
    const key = `${name} ${txHash}`
    const row = store.reports.get(key) ?? {
      name,
      report: { ...facts, order: 'o1', txHash },
      state: 'new',
    }
    store.reports.set(key, row)
    yield
    const order = `${name} o1`
    if (row.state === 'new' && store.credits.size === 0) {
      // The look is a condition of this statement.
      row.state = store.orders.has(order) ? 'duplicate' : 'paid'
      if (row.state === 'paid') store.orders.set(order, txHash)
      return
    }
    yield
    if (row.state !== 'duplicate') row.state = linkReport(store, row)
  }

/** Stores a credit, then links the stored reports of every name, before it is used or told. */
function* know(store: Store, one: Credit): Generator<void, void, void> {
  store.credits.set(one.id, one)
  yield
  for (const row of store.reports.values()) {
    if (row.state !== 'duplicate') row.state = linkReport(store, row)
    yield
  }
}

const watcher = (name: string, credits: readonly Credit[]): Actor =>
  function* (store) {
    for (const one of credits) {
      yield* know(store, one)
      const order = `${name} o1`
      const payment = store.orders.get(order) ?? one.txHash
      if (store.uses.has(one.id)) continue
      if (claim(store, one.id, order, payment)) store.orders.set(order, payment)
      else store.told.set(one.id, order)
      yield
    }
  }

const refund = (one: Credit): Actor =>
  function* (store) {
    yield* know(store, one)
    if (claim(store, one.id, 'refund')) store.refunds.add(one.id)
  }

const assign = (one: Credit): Actor =>
  function* (store) {
    yield* know(store, one)
    if (claim(store, one.id, 'shop o2', one.txHash)) store.orders.set('shop o2', one.txHash)
  }

const emptyStore = (): Store => ({
  reports: new Map(),
  credits: new Map(),
  uses: new Map(),
  links: new Map(),
  orders: new Map(),
  told: new Map(),
  refunds: new Set(),
})

/** Runs the actors in a sequence of turns. @returns the store, and the actors that have not ended */
function run(cast: readonly Actor[], turns: readonly number[]): { store: Store; open: number[] } {
  const store = emptyStore()
  const runs = cast.map((actor) => actor(store))
  const ended = new Set<number>()
  for (const turn of turns) if (runs[turn]?.next().done === true) ended.add(turn)
  return { store, open: [...cast.keys()].filter((index) => !ended.has(index)) }
}

/** Runs the actors in a sequence of turns; then each again to its end, twice, as their retries do. */
function playOut(cast: readonly Actor[], turns: readonly number[]): Store {
  const { store } = run(cast, turns)
  for (const actor of [...cast, ...cast]) Array.from(actor(store))
  return store
}

type Check = (turns: readonly number[]) => string | undefined

/** Returns the first turns that break a promise, among all of two actors. Each prefix is a crash of both after it. */
function inEveryOrder(cast: readonly Actor[], check: Check): string | undefined {
  const stack: number[][] = [[]]
  for (let turns = stack.pop(); turns !== undefined; turns = stack.pop()) {
    const broken = check(turns)
    if (broken !== undefined) return `${turns.join(' ')}: ${broken}`
    for (const next of run(cast, turns).open) stack.push([...turns, next])
  }
  return undefined
}

/** The same for some orders of many. */
function inSomeOrders(cast: readonly Actor[], check: Check): string | undefined {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const random = createRandom(seed)
    const turns: number[] = []
    for (let left = random() * 30; left > 0; left--) turns.push(Math.floor(random() * cast.length))
    const broken = check(turns)
    if (broken !== undefined) return `${turns.join(' ')}: ${broken}`
  }
  return undefined
}

const actors: Record<string, Actor> = {
  'a webhook that names the trace': webhook('shop', 't0'),
  'a webhook that names the first payment': webhook('shop', 't1'),
  'a webhook that names the second payment': webhook('shop', 't2'),
  'the watcher': watcher('shop', [ONE, TWO]),
  'the watcher of another name': watcher('other', [ONE, TWO]),
  'a webhook of another name': webhook('other', 't1'),
  'a refund of the first payment': refund(ONE),
  'a refund of the second payment': refund(TWO),
  'an assignment of the first payment': assign(ONE),
}
const names = Object.keys(actors)
const pairs = names.flatMap((one, index) => names.slice(index + 1).map((two) => [one, two]))
const triples = pairs.flatMap(([one = '', two = '']) =>
  names.slice(names.indexOf(two) + 1).map((three) => [one, two, three]),
)

function play(cast: readonly string[], search: typeof inEveryOrder): string | undefined {
  const chosen = cast.flatMap((name) => actors[name] ?? [])
  // Whatever happened, the chain is read in the end.
  const all = [...chosen, watcher('shop', [ONE, TWO])]
  const mayPayTwice = cast.some((name) => name.includes('webhook of another'))
  return search(chosen, (turns) => whatIsBroken(playOut(all, turns), mayPayTwice))
}

describe('the rules of the ledger', () => {
  it.each(pairs)('hold for %s and %s in every order', (...cast) => {
    expect(play(cast, inEveryOrder)).toBeUndefined()
  })

  it(`hold for any three of ${names.length}, in ${SEEDS} orders each`, () => {
    const broken = triples.map((cast) => [cast, play(cast, inSomeOrders)] as const)
    expect(broken.filter(([, problem]) => problem !== undefined)).toEqual([])
  })
})

/** @param mayPayTwice webhooks of two names have completed both orders before the chain showed one payment: an alarm */
function whatIsBroken(
  { orders, refunds, links, uses, told }: Store,
  mayPayTwice: boolean,
): string | undefined {
  const unlinked = [...orders].filter(([order, payment]) => !links.has(`${order} by ${payment}`))
  if (unlinked.length > 0 && !mayPayTwice) return `not linked: ${unlinked.join('; ')}`
  if (orders.size + refunds.size - unlinked.length !== uses.size) return 'a credit was given twice'
  const untold = [ONE, TWO].find(({ id }) => !uses.has(id) && !told.has(id))
  if (untold !== undefined) return `${untold.id} has no use and no decision`
  const wrong = [...told].find(([id, order]) => uses.get(id) === order)
  return wrong && `${wrong.join(' is extra for ')}, which it has paid`
}
