import type { EventOf, ShopEvent } from './events.js'
import { createRandom, type Random } from './random.js'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const COIN = 1_000_000_000n
/** The second one is longer than the time that watchers read again. */
const INDEX_DOWN_MS = [60_000, 15 * MINUTE_MS] as const
/** The events of an order happen within this time. */
const MOST_SPREAD_MS = 30 * MINUTE_MS

/** Ports that fail in simulations. */
const FAULTY_PORTS = [
  'inbox.reports.store',
  'inbox.reports.decide',
  'inbox.reports.claim',
  'inbox.reports.list',
  'inbox.credits.claim',
  'inbox.tasks.claim',
  'inbox.tasks.finish',
  'inbox.tasks.extendLease',
  'inbox.processes.register',
  'orders.find',
  'orders.complete',
  'orders.listOpen',
  'orders.findByReferences',
  'cursor.load',
  'cursor.save',
  'cursor.acquire',
  'index/transactions',
  'index/traces',
  'index/masterchainInfo',
] as const

const HANDLERS = [
  'handler.onPaid',
  'handler.onExtraPayment',
  'handler.onMismatch',
  'handler.onUnknownOrder',
] as const

const MOMENTS = ['before', 'after', 'stall', 'kill-before', 'kill-after'] as const
const NAMES = ['trace', 'first', 'last'] as const

/** Sizes of a plan. */
export interface PlanOptions {
  hours: number
  processes: number
  faults: boolean
  /** True when the repository can cancel and expire orders. */
  cancels: boolean
}

/** Plans the events of a seed, in the order of their times: about six payments an hour. */
export function planShop(seed: number, options: PlanOptions): ShopEvent[] {
  const random = createRandom(seed, 'plan')
  const naming = createRandom(seed, 'names')
  const events: ShopEvent[] = []
  const spanMs = options.hours * HOUR_MS
  const orders = Math.max(random.between(1, 3), Math.round(random.between(1, 6) * options.hours))
  const spreadMs = Math.min(MOST_SPREAD_MS, spanMs / 2)
  for (let number = 1; number <= orders; number++) {
    const atMs = random.between(0, spanMs)
    planOrder(random, events, { ...options, naming, number, atMs, spreadMs })
  }
  return events.toSorted((one, other) => one.atMs - other.atMs)
}

interface Place extends PlanOptions {
  /** Decides which transaction of a payment is named: the same one by all, or any. */
  naming: Random
  number: number
  atMs: number
  spreadMs: number
}

function planOrder(random: Random, events: ShopEvent[], place: Place): void {
  const { number, atMs } = place
  const reference = `order-${number}`
  const price = COIN * BigInt(random.between(1, 2))
  const isBound = random.chance(0.5)
  events.push({ kind: 'order', atMs, reference, rawAmount: String(price), isBound })
  const count = random.pick([0, 1, 1, 1, 1, 2, 2, 3])
  for (let nth = 1; nth <= count; nth++) planPayment(random, events, { ...place, nth, price })
  if (place.cancels && random.chance(0.15)) {
    const kind = random.pick(['cancel', 'expire'])
    events.push({ kind, atMs: atMs + random.between(0, 10 * MINUTE_MS), reference })
  }
  if (place.faults) planFaults(random, events, place)
}

function planPayment(
  random: Random,
  events: ShopEvent[],
  { naming, number, nth, price, atMs, processes, spreadMs }: Place & { nth: number; price: bigint },
): void {
  const payment = `p${number}-${nth}`
  // Some are older than their order, or come together with another one.
  const paidMs = Math.max(
    0,
    atMs + random.pick([-5000, 1000, 5000, 20_000, random.between(0, spreadMs)]),
  )
  const amounts = [price, price, price, price, price / 2n, price + COIN] as const
  const rawAmount = String(random.pick(amounts))
  const reference = random.pick([
    ...([`order-${number}`, `order-${number}`, `order-${number}`] as const),
    ...([`order-${number}`, 'nobody'] as const),
  ])
  const times = random.pick([1, 1, 1, 2])
  const lagMs = random.pick([0, 2000, 10_000, 60_000, random.between(0, 400_000)])
  events.push({ kind: 'pay', atMs: paidMs, payment, reference, rawAmount, times, lagMs })
  const only = random.pick(NAMES)
  const isNamedOnce = naming.chance(0.5)
  const name = (): EventOf<'webhook'>['names'] => (isNamedOnce ? only : naming.pick(NAMES))
  const webhooks = random.pick([0, 1, 1, 2, 3])
  const toldMs = paidMs + random.pick([500, 2000, 12_000, lagMs + 2000])
  for (let webhook = 0; webhook < webhooks; webhook++) {
    const at = toldMs + random.pick([0, 5, 1500, random.between(0, spreadMs)])
    const process = random.between(0, processes - 1)
    events.push({ kind: 'webhook', atMs: at, payment, process, names: name() })
  }
  const laterMs = (): number => paidMs + random.pick([15_000, 120_000, random.between(0, spreadMs)])
  const refunds = random.pick([0, 0, 1, 2])
  for (let left = refunds; left > 0; left--) {
    events.push({ kind: 'refund', atMs: laterMs(), payment, names: name() })
  }
  if (random.chance(refunds > 0 ? 0.5 : 0.25)) {
    const to = `order-${Math.max(1, number - random.between(0, 1))}`
    const at = laterMs() + random.pick([0, 0, 60_000])
    events.push({ kind: 'assign', atMs: at, payment, names: name(), reference: to })
  }
  if (random.chance(0.2)) events.push({ kind: 'reprocess', atMs: laterMs(), reference })
}

function planFaults(
  random: Random,
  events: ShopEvent[],
  { atMs, processes, spreadMs }: Place,
): void {
  const process = (): number => random.between(0, processes - 1)
  for (let faults = random.between(0, 6); faults > 0; faults--) {
    events.push({
      kind: 'fault',
      atMs: atMs + random.between(0, 5 * MINUTE_MS),
      process: process(),
      port: random.pick(random.chance(0.3) ? HANDLERS : FAULTY_PORTS),
      moment: random.pick(MOMENTS),
    })
  }
  if (random.chance(0.3)) {
    const [at, downMs] = [atMs + random.between(0, spreadMs), random.between(100, 120_000)]
    events.push({ kind: 'kill', atMs: at, process: process(), downMs })
  }
  if (random.chance(0.15)) {
    const [at, downMs] = [atMs + random.between(0, spreadMs), random.pick(INDEX_DOWN_MS)]
    events.push({ kind: 'index', atMs: at, downMs })
  }
}
