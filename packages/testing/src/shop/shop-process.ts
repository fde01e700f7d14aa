import {
  createPaymentVerifier,
  createPaymentWatcher,
  createPayments,
  createWebhookReceiver,
  HANDLER_EVENTS,
  type AmountsPolicy,
  type Clock,
  type CursorStore,
  type HandlerContext,
  type HandlerEvent,
  type Inbox,
  type JoinedOrders,
  type Logger,
  type MerchantSecrets,
  type Order,
  type OrderRepository,
  type PaymentVerifier,
  type Payments,
  type WebhookReceiver,
} from '@tonplug/core'
import { createTransport, createV3Client, type V3Client } from '@tonplug/core/toncenter'
import { answerV3, respond } from './index-api.js'
import type { ChainTransaction, SimulatedChain } from './chain.js'
import type { LyingIndex } from './lying-index.js'
import type { ShopPlace, WatchIntervals } from './events.js'
import type { JettonWallets } from './jettons.js'
import type { Caller, Ports } from './ports.js'
import type { Random } from './random.js'
import type { Scheduler } from './scheduler.js'

/** The secret of the simulated gateway. */
export const SECRET = 'whsec_simulated_shop'

/** Intervals of shops without others. An inbox that is polled rarely takes over slowly from a process that was killed. */
export const INTERVALS: WatchIntervals = {
  minIntervalMs: 20_000,
  maxIntervalMs: 60_000,
  idlePollMs: 30_000,
}
/** Longer than an index lags, and shorter than the end of a simulation. */
const PROOF_MS = 1_200_000

/** Creates the proof of a process from its own index, which lies, and an honest one. */
export type MakeProof = (sources: readonly [V3Client, V3Client], clock: Clock) => PaymentVerifier

/** A payment counts when both indexes show it. */
export const askBoth: MakeProof = (sources, clock) =>
  createPaymentVerifier({ sources, require: 2, deadlineMs: PROOF_MS, clock })

/** A run of a handler. */
export interface HandlerRun extends Required<ShopPlace> {
  event: HandlerEvent
  key: string
  reference: string
  /** The transaction that the report names. */
  txHash: string
  reportId: string
}

/** The stores of one name of Payments. */
export interface ShopStores {
  orders: OrderRepository
  cursor: SharedCursor
  /** The steps that the inbox takes together with these orders, if it can. */
  joined: JoinedOrders | undefined
}

/** The parts that all processes of a simulated shop share. */
export interface ShopWorld {
  scheduler: Scheduler
  ports: Ports
  random: Random
  chain: SimulatedChain
  jettons: JettonWallets
  /** The shops by their names. */
  shops: ReadonlyMap<string, ShopStores>
  inbox: Inbox
  /** The wallets that every shop lists. */
  wallets: readonly string[]
  amounts: AmountsPolicy | undefined
  intervals: WatchIntervals
  /** The index of all processes. */
  index: LyingIndex
  /** Absent where payments are not proven. */
  proof: MakeProof | undefined
  /** Until when the index fails, milliseconds since the Unix epoch. */
  indexDownUntilMs: number
  onRun: (run: HandlerRun) => void
  onKill: (process: number) => void
}

/** The tools of an operator. */
export interface Tools extends Caller {
  payments: Payments
  v3: V3Client
}

/** A process of all shops. */
export interface ShopProcess extends Caller {
  /** The receivers by the names of the shops. */
  receivers: ReadonlyMap<string, WebhookReceiver>
}

const SILENT: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
}

/** Starts a process: for each shop its own Payments, receiver and watcher over the stores that all processes share. */
export function startProcess(world: ShopWorld, number: number, name: string): ShopProcess {
  const caller = createCaller(world, number, name)
  const receivers = new Map<string, WebhookReceiver>()
  for (const [shop, stores] of world.shops) {
    const { payments, v3 } = openPayments(world, caller, { shop, autoStart: true })
    const secrets = ({ url = '' }: { url: string | undefined }): MerchantSecrets => ({
      merchant: url.slice(1),
      secrets: SECRET,
    })
    receivers.set(shop, createWebhookReceiver({ payments, secrets }))
    const cursor = world.ports.wrap(caller, 'cursor', stores.cursor.of(name))
    const { minIntervalMs, maxIntervalMs } = world.intervals
    createPaymentWatcher({ payments, v3, cursor, minIntervalMs, maxIntervalMs }).start()
  }
  return Object.assign(caller, { receivers })
}

/** Opens the tools of an operator: Payments that is not started, over the same stores. */
export function openTools(world: ShopWorld, name: string, shop = 'default'): Tools {
  const caller = createCaller(world, -1, name)
  return Object.assign(caller, openPayments(world, caller, { shop, autoStart: false }))
}

function createCaller(world: ShopWorld, process: number, name: string): Caller {
  const kill = (): void => {
    caller.isAlive = false
    world.scheduler.note(`${name} is killed`)
    world.onKill(process)
  }
  const caller: Caller = { name, process, isAlive: true, kill }
  return caller
}

function openPayments(
  world: ShopWorld,
  caller: Caller,
  { shop, autoStart }: { shop: string; autoStart: boolean },
): Pick<Tools, 'payments' | 'v3'> {
  const { ports, wallets, amounts, intervals } = world
  const clock = clockOf(world, caller)
  const v3 = openIndex(world, caller, { name: 'index', shown: world.index, clock })
  const honest = { name: 'honest', shown: world.chain, clock }
  const verifyOnChain = world.proof?.([v3, openIndex(world, caller, honest)], clock)
  const orders = wrapOrders(world, caller, shop)
  const inbox = wrapInbox(world, caller, shop)
  const handlers = Object.fromEntries(
    HANDLER_EVENTS.map((event) => [
      event,
      (transfer: HandledTransfer, context: HandlerContext) =>
        ports.call(caller, `handler.${event}`, () =>
          world.onRun({
            event,
            shop,
            merchant: context.merchant,
            key: context.idempotencyKey,
            reference: transfer.transfer.reference,
            txHash: transfer.transfer.txHash,
            reportId: context.reportId,
          }),
        ),
    ]),
  )
  const payments = createPayments({
    name: shop,
    orders,
    inbox,
    wallets,
    amounts,
    verifyOnChain,
    clock,
    logger: SILENT,
    autoStart,
    idlePollMs: intervals.idlePollMs,
    ...handlers,
  })
  return { payments, v3 }
}

/** The part of the argument of every handler that is recorded. */
interface HandledTransfer {
  transfer: { reference: string; txHash: string }
}

/** The clock of a process; its timers end with it. */
function clockOf({ scheduler }: ShopWorld, caller: Caller): Clock {
  return {
    nowMs: () => scheduler.nowMs,
    setTimer: (callback, delayMs) =>
      scheduler.after(
        delayMs,
        () => {
          if (caller.isAlive) callback()
        },
        true,
      ),
  }
}

/** Returns the inbox as a process calls it. The steps that it takes together with the shop's orders are ports of their own. */
function wrapInbox(world: ShopWorld, caller: Caller, shop: string): Inbox {
  const { ports, shops } = world
  const inbox: Inbox = { ...ports.wrap(caller, 'inbox', world.inbox), isDurable: true }
  // Both answer at once, so they are no ports.
  delete inbox.onNotice
  delete inbox.joinOrders
  const { joined } = storesOf(shops, shop)
  if (joined === undefined) return inbox
  const steps = ports.wrap(caller, 'joined', joined)
  // They return the orders of the shop, whose type its Payments know.
  return { ...inbox, joinOrders: <O extends Order>() => steps as JoinedOrders<O> }
}

/** Returns the repository as a process calls it: the list of open orders is one call. */
function wrapOrders({ ports, shops }: ShopWorld, caller: Caller, shop: string): OrderRepository {
  const { orders } = storesOf(shops, shop)
  const wrapped = ports.wrap(caller, 'orders', { ...orders })
  return {
    ...wrapped,
    async *listOpen(query) {
      yield* await ports.call(caller, 'orders.listOpen', () => collect(orders.listOpen(query)))
    },
  }
}

/** @throws {RangeError} for a name that no shop has. */
export function storesOf<Stores>(shops: ReadonlyMap<string, Stores>, shop = 'default'): Stores {
  const stores = shops.get(shop)
  if (stores === undefined) throw new RangeError(`there is no shop ${shop}`)
  return stores
}

async function collect<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const row of rows) all.push(row)
  return all
}

interface Index {
  /** The prefix of the names of its ports. */
  name: string
  /** Its view of the chain. */
  shown: { readonly transactions: readonly ChainTransaction[] }
  clock: Clock
}

function openIndex(world: ShopWorld, caller: Caller, { name, shown, clock }: Index): V3Client {
  const { ports, scheduler, random, jettons } = world
  const answer = (url: URL, body: string | undefined): ReturnType<typeof respond> => {
    if (scheduler.nowMs < world.indexDownUntilMs) return respond(503, '{"error":"unavailable"}')
    return respond(200, answerV3({ chain: shown, jettons }, { url, body }, scheduler.nowMs))
  }
  const transport = createTransport({
    baseUrl: 'http://index.test',
    rps: Infinity,
    clock,
    random: () => random.next(),
    fetch: (address, { signal, body }) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
        const url = new URL(address)
        const port = `${name}${url.pathname.slice('/api/v3'.length)}`
        ports.call(caller, port, () => answer(url, body)).then(resolve, reject)
      }),
  })
  return createV3Client({ transport })
}

/** A cursor in a database, with the lease of one process at a time. */
export class SharedCursor {
  readonly #clock: { readonly nowMs: number }
  #text: string | undefined
  #lease: { holder: string; untilMs: number } | undefined

  readonly #wrap: (cursor: CursorStore) => CursorStore

  constructor(clock: { readonly nowMs: number }, wrap: (cursor: CursorStore) => CursorStore) {
    this.#clock = clock
    this.#wrap = wrap
  }

  /** Returns the cursor as one process uses it. */
  of(holder: string): CursorStore {
    const isHeldByOther = (): boolean =>
      this.#lease !== undefined &&
      this.#lease.holder !== holder &&
      this.#lease.untilMs > this.#clock.nowMs
    return this.#wrap({
      load: async () => this.#text,
      save: async (text) => {
        const isTaken = this.#lease !== undefined && this.#lease.holder !== holder
        if (!isTaken) this.#text = text
      },
      acquire: async (leaseMs) => {
        if (isHeldByOther()) return false
        this.#lease = { holder, untilMs: this.#clock.nowMs + leaseMs }
        return true
      },
      release: async () => {
        if (!isHeldByOther()) this.#lease = undefined
      },
    })
  }
}
