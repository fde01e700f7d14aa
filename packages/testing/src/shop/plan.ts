import { placeOf, type EventOf, type ShopEvent, type ShopPlace } from './events.js'
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
/** Fates of proposed refunds, and times of sending. A proposal ends after ten minutes. */
const PROPOSALS = [undefined, undefined, undefined, undefined, 'never', 'late', 'returned'] as const
const IN_TIME_MS = [20_000, 20_000, 300_000, 590_000] as const
const LATE_MS = [620_000, 900_000, 2 * HOUR_MS, 6 * HOUR_MS] as const
const NAMES = ['trace', 'first', 'last'] as const

/** Sizes of a plan. */
export interface PlanOptions {
  hours: number
  processes: number
  faults: boolean
  /** True for the repository in memory, which each shop has, and which can cancel and expire orders. */
  isOwn: boolean
}

/** Plans the events of a seed, in the order of their times: about six payments an hour. */
export function planShop(seed: number, options: PlanOptions): ShopEvent[] {
  const random = createRandom(seed, 'plan')
  const naming = createRandom(seed, 'names')
  const placing = createRandom(seed, 'places')
  const places = new Set<string>()
  const isPlaced = options.isOwn && placing.chance(0.5)
  const isAddingUp = options.isOwn && placing.chance(0.4)
  const trading = createRandom(seed, 'jettons')
  const signing = createRandom(seed, 'signatures')
  const hasJettons = options.isOwn && trading.chance(0.4)
  const events: ShopEvent[] = planProcesses(createRandom(seed, 'processes'))
  if (isAddingUp) events.push({ kind: 'add-up', atMs: 0 })
  const spanMs = options.hours * HOUR_MS
  const orders = Math.max(random.between(1, 3), Math.round(random.between(1, 6) * options.hours))
  const spreadMs = Math.min(MOST_SPREAD_MS, spanMs / 2)
  for (let number = 1; number <= orders; number++) {
    const atMs = random.between(0, spanMs)
    const at = isPlaced ? pickPlace(placing) : {}
    // Two merchants or shops may give their orders the same reference.
    const former = `order-${number - 1}`
    const isRepeated = isPlaced && placing.chance(0.3) && !places.has(placeOf(at, former))
    const reference = number > 1 && isRepeated ? former : `order-${number}`
    places.add(placeOf(at, reference))
    const place = {
      naming,
      placing,
      trading,
      signing,
      hasJettons,
      isAddingUp,
      isPlaced,
      number,
      atMs,
      spreadMs,
      at,
      reference,
    }
    planOrder(random, events, { ...options, ...place })
  }
  const planned = isLying(seed, options, isAddingUp) ? addLies(seed, events) : events
  return planned.toSorted((one, other) => one.atMs - other.atMs)
}

/** Plans the intervals of the shop, and whether its processes are suspended: most of the time of a shop nothing happens. */
function planProcesses(random: Random): ShopEvent[] {
  const events: ShopEvent[] = random.chance(0.8) ? [{ kind: 'suspend', atMs: 0 }] : []
  const minIntervalMs = random.pick([5000, 20_000, 60_000, 120_000])
  const maxIntervalMs = Math.max(minIntervalMs, random.pick([60_000, 120_000, 300_000]))
  const idlePollMs = random.pick([5000, 30_000, 120_000, 300_000])
  const isDefault = random.chance(0.2)
  if (!isDefault)
    events.push({ kind: 'intervals', atMs: 0, minIntervalMs, maxIntervalMs, idlePollMs })
  return events
}

function isLying(seed: number, { isOwn }: PlanOptions, isAddingUp: boolean): boolean {
  return isOwn && !isAddingUp && createRandom(seed, 'sources').chance(0.3)
}

/** A proof does not outlast a long outage. */
function isLongOutage(event: ShopEvent): boolean {
  return event.kind === 'index' && event.downMs > INDEX_DOWN_MS[0]
}

/** Lets the shops ask two indexes; their own lies about a part of the payments. */
function addLies(seed: number, events: readonly ShopEvent[]): ShopEvent[] {
  const random = createRandom(seed, 'lies')
  const told = events.map((event) => {
    const lie =
      event.kind === 'pay' &&
      random.pick([undefined, undefined, 'invented', 'amount', 'sender', 'asset', 'withheld'])
    if (event.kind !== 'pay' || !lie || (lie === 'asset' && event.jetton !== 'other')) return event
    // The lie makes it enough.
    const half = lie === 'amount' && { rawAmount: String(BigInt(event.rawAmount) / 2n) }
    return { ...event, ...half, lie }
  })
  return [{ kind: 'two-sources', atMs: 0 }, ...told.filter((event) => !isLongOutage(event))]
}

function pickPlace(random: Random): ShopPlace {
  const shop = random.pick(['default', 'default', 'second'])
  const merchant = random.pick(['', '', 'm-1', 'm-2'])
  return { ...(shop !== 'default' && { shop }), ...(merchant !== '' && { merchant }) }
}

interface Place extends PlanOptions {
  /** Decides which transaction of a payment is named: the same one by all, or any. */
  naming: Random
  /** Decides about shops, merchants and amounts that add up. */
  placing: Random
  /** Decides about jettons. */
  trading: Random
  /** Decides about the signatures of refunds. */
  signing: Random
  /** True where orders have two offers, and payments may be in a jetton. */
  hasJettons: boolean
  isAddingUp: boolean
  /** True where orders belong to several shops and merchants. */
  isPlaced: boolean
  /** The shop and merchant of the order. */
  at: ShopPlace
  reference: string
  number: number
  atMs: number
  spreadMs: number
}

function planOrder(random: Random, events: ShopEvent[], place: Place): void {
  const { atMs, at, placing, reference, isAddingUp } = place
  const price = COIN * BigInt(random.between(1, 2))
  const isBound = random.chance(0.5)
  const owner = at.merchant === 'm-2' && placing.chance(0.5) ? at.merchant : undefined
  const hasRecipient = owner !== undefined && { hasRecipient: true }
  const rawAmount = String(price)
  const hasOffers = place.hasJettons && place.trading.chance(0.7)
  const offer = hasOffers && { usdtAmount: String(toUsdt(price)) }
  events.push({
    kind: 'order',
    atMs,
    reference,
    rawAmount,
    isBound,
    ...at,
    ...hasRecipient,
    ...offer,
  })
  const count = random.pick([0, 1, 1, 1, 1, 2, 2, 3]) + (isAddingUp ? placing.between(0, 1) : 0)
  for (let nth = 1; nth <= count; nth++)
    planPayment(random, events, { ...place, nth, price, owner })
  if (place.isOwn && random.chance(0.15)) {
    const kind = random.pick(['cancel', 'expire'])
    events.push({ kind, atMs: atMs + random.between(0, 10 * MINUTE_MS), reference, ...at })
  }
  while (place.isOwn && placing.chance(0.25)) {
    const acceptMs = atMs + placing.pick([30_000, 120_000, placing.between(0, place.spreadMs)])
    events.push({ kind: 'accept', atMs: acceptMs, reference, ...at })
  }
  if (place.faults) planFaults(random, events, place)
}

function planPayment(
  random: Random,
  events: ShopEvent[],
  place: Place & { nth: number; price: bigint; owner: string | undefined },
): void {
  const { naming, placing, number, nth, price, atMs, processes, spreadMs, at } = place
  const payment = `p${number}-${nth}`
  // Some are older than their order, or come together with another one.
  const paidMs = Math.max(
    0,
    atMs + random.pick([-5000, 1000, 5000, 20_000, random.between(0, spreadMs)]),
  )
  const amounts = [price, price, price, price, price / 2n, price + COIN] as const
  const parts = [price / 2n, price / 2n, (price * 2n) / 3n, price] as const
  const amount = random.pick(amounts)
  const coins = place.isAddingUp ? placing.pick(parts) : amount
  const jetton = place.hasJettons
    ? place.trading.pick([undefined, 'usdt', 'usdt', 'other'])
    : undefined
  const rawAmount = String(jetton === undefined ? coins : toUsdt(coins))
  const own = place.reference
  const reference = random.pick([own, own, own, own, 'nobody'])
  const isElsewhere = place.owner !== undefined && placing.chance(0.1)
  const owner = place.owner !== undefined && !isElsewhere && { owner: place.owner }
  const times = random.pick([1, 1, 1, 2])
  const lagMs = random.pick([0, 2000, 10_000, 60_000, random.between(0, 400_000)])
  events.push({
    kind: 'pay',
    atMs: paidMs,
    payment,
    reference,
    rawAmount,
    times,
    lagMs,
    ...owner,
    ...(jetton !== undefined && { jetton }),
  })
  const only = random.pick(NAMES)
  const isNamedOnce = naming.chance(0.5)
  const name = (): EventOf<'webhook'>['names'] => (isNamedOnce ? only : naming.pick(NAMES))
  const webhooks = random.pick([0, 1, 1, 2, 3])
  const toldMs = paidMs + random.pick([500, 2000, 12_000, lagMs + 2000])
  for (let webhook = 0; webhook < webhooks; webhook++) {
    const tellMs = toldMs + random.pick([0, 5, 1500, random.between(0, spreadMs)])
    const process = random.between(0, processes - 1)
    events.push({ kind: 'webhook', atMs: tellMs, payment, process, names: name(), ...at })
  }
  const laterMs = (): number => paidMs + random.pick([15_000, 120_000, random.between(0, spreadMs)])
  // Operators of two shops may act on the same money.
  const actsAt = (): ShopPlace => (place.isPlaced && placing.chance(0.2) ? pickPlace(placing) : at)
  const refunds = random.pick([0, 0, 1, 2])
  for (let left = refunds; left > 0; left--) {
    const refund = { kind: 'refund', atMs: laterMs(), payment, names: name() } as const
    events.push({ ...refund, ...planSigning(place.signing, jetton), ...actsAt() })
  }
  if (random.chance(refunds > 0 ? 0.5 : 0.25)) {
    const to = `order-${Math.max(1, number - random.between(0, 1))}`
    const assignMs = laterMs() + random.pick([0, 0, 60_000])
    events.push({
      kind: 'assign',
      atMs: assignMs,
      payment,
      names: name(),
      reference: to,
      ...actsAt(),
    })
  }
  if (random.chance(0.2)) {
    events.push({ kind: 'reprocess', atMs: laterMs(), reference, ...at })
  }
  if (place.signing.chance(0.1)) {
    const retryMs = paidMs + place.signing.between(0, 2 * spreadMs)
    events.push({ kind: 'retry', atMs: retryMs, reference, ...at })
  }
}

/** Plans what the wallet does with a refund that is proposed. */
function planSigning(
  signing: Random,
  jetton: EventOf<'pay'>['jetton'],
): Pick<EventOf<'refund'>, 'anyJetton' | 'sendsMs' | 'signed'> {
  const signed = signing.pick(PROPOSALS)
  const sendsMs = signing.pick(signed === 'late' ? LATE_MS : IN_TIME_MS)
  const isForced = jetton !== undefined && signing.chance(0.5)
  return {
    ...(isForced && { anyJetton: true }),
    ...(sendsMs !== IN_TIME_MS[0] && { sendsMs }),
    ...(signed !== undefined && { signed }),
  }
}

/** Returns the price in USDT, which has six decimals: two for each coin. */
function toUsdt(nanocoins: bigint): bigint {
  return (nanocoins * 2n) / 1000n
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
