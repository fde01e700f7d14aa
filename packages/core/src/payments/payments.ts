import { PROOF_TASK } from '../inbox/inbox.js'
import type { HandlerEvent } from '../inbox/handler-event.js'
import { attempt } from '../orders/checked-repository.js'
import type { Decision } from '../orders/decision.js'
import type { Order, OrderKey } from '../orders/order.js'
import type { OrderRepository } from '../orders/repository.js'
import { callListener } from '../shared/around.js'
import type { Clock } from '../shared/clock.js'
import { ConfigurationError } from '../shared/configuration-error.js'
import type { Logger } from '../shared/logger.js'
import { createBackground, endsWithin, RELEASE_MS, type Background } from './background.js'
import { createDecisionFeed, type DecisionFeed, type DecisionListener } from './decision-feed.js'
import type { Handler, HandlerEvents } from './events.js'
import { createHandlerRegistry, type HandlerRegistry } from './handler-registry.js'
import { checkHealth, type PaymentsHealth, type PaymentsHealthOptions } from './health.js'
import type { PaymentsInstrumentation } from './instrumentation.js'
import { resolveOptions, type PaymentsOptions, type ResolvedOptions } from './options.js'
import { checkFilter, type RedecideFilter } from './redecide-filter.js'
import { checkMerchant, toNewReport, type TransferReport } from './report.js'
import { decideStored, duplicateOf, storeReport, type SubmitOptions } from './submit.js'
import { logLost, logUnreadable, warnOfMemory, warnOfMissingHashes } from './warnings.js'

/** Decides about payments: the only place that completes orders. Doors report transfers to it. */
export interface Payments<O extends Order = Order> {
  readonly name: string
  /** In canonical format, as given in the options. */
  readonly wallets: readonly string[] | undefined
  /** The shop's repository, as given in the options. */
  readonly orders: OrderRepository<O>
  readonly clock: Clock
  readonly logger: Logger
  readonly instrumentation: PaymentsInstrumentation
  /** `idle` until `start` is called. */
  state(): 'idle' | 'started' | 'closed'
  /**
   * Starts to decide reports and to run handlers. Register handlers before.
   * @throws {ConfigurationError} after `close`.
   */
  start(): void
  /**
   * Stores a report that a door has authenticated, then decides it. Resolves when the decision is durable.
   * @returns the decision; `undefined` for an unreadable report, and for a new one when Payments is not started: a process
   *   that is started decides it within seconds.
   * @throws {RepositoryError} when a store fails; {@link RuleError} when a rule throws: the report is stored and retried;
   *   {@link ConfigurationError} after `close`, and before `start` with an inbox that is lost with the process.
   */
  submit(report: TransferReport): Promise<Decision | undefined>
  /**
   * Registers a further handler.
   * @throws {ConfigurationError} when the event has a handler of this name already.
   */
  addHandler<Event extends HandlerEvent>(
    event: Event,
    handler: Handler<HandlerEvents<O>[Event]>,
    options?: { name?: string | undefined },
  ): void
  /**
   * Ends the subscription of a handler that was removed or renamed, and deletes its waiting tasks. Without this call a
   * subscription expires seven days after the last process with the handler.
   * @param handler the registered name, for example `onPaid.ship`
   * @returns false when there is no such subscription.
   */
  unsubscribe(handler: string): Promise<boolean>
  /** Calls `listener` after each durable decision of this process. Returns the function that ends it. */
  subscribe(listener: DecisionListener): () => void
  /**
   * Decides the reports that arrived before this order was stored. Without this call they are decided within seconds at
   * first, within an hour for old reports.
   * @returns how many reports were parked for the order.
   */
  matchReference(key: string | OrderKey): Promise<number>
  /**
   * Applies the rules again to stored reports that were not decided as `paid`, for example after a wallet or a price was
   * corrected. Unreadable reports are read again. The started processes decide them within seconds.
   * @param filter a report's id, or a filter with at least one field
   * @returns how many reports will be decided again.
   * @throws {ConfigurationError} for an empty filter or an unknown field.
   */
  redecide(filter: string | RedecideFilter): Promise<number>
  /**
   * Checks whether payments can be accepted now, for a load balancer or a monitor.
   * @throws {ConfigurationError} for an invalid time. Stores that fail are reported as `down`, not thrown.
   */
  health(options?: PaymentsHealthOptions): Promise<PaymentsHealth>
  /**
   * Accepts no more reports; waits up to `drainTimeoutMs` for running handlers, then aborts their signals and releases
   * their tasks to other processes. Close doors first.
   */
  close(): Promise<void>
}

/**
 * Creates the engine that decides about payments and runs handlers.
 * @throws {ConfigurationError} when an option is missing or invalid.
 * @example
 * ```ts
 * import { createPayments, createWebhookReceiver, memoryOrderRepository } from '@tonplug/core'
 *
 * const payments = createPayments({
 *   orders: memoryOrderRepository(),
 *   wallets: [process.env.SHOP_WALLET ?? ''],
 *   onPaid: ({ order }) => console.log(`${order.reference} is paid`),
 * })
 * const receiver = createWebhookReceiver({
 *   payments,
 *   secrets: process.env.TONPAY_WEBHOOK_SECRET ?? '',
 * })
 * ```
 */
export function createPayments<O extends Order = Order>(given: PaymentsOptions<O>): Payments<O> {
  const engine = createEngine(given)
  const { options, registry, background } = engine
  const { name, wallets, clock, logger, instrumentation } = options
  let closed: Promise<void> | undefined
  if (!options.inbox.isDurable) warnOfMemory(options)
  if (options.autoStart) start(engine)

  return {
    name,
    wallets,
    orders: given.orders,
    clock,
    logger,
    instrumentation,
    state: () => engine.state,
    start: () => start(engine),
    submit: (report) => submit(engine, report),
    addHandler(event, handler, { name: handlerName } = {}) {
      registry.add(event, handler, handlerName)
      if (engine.state === 'started') background.addHandlers()
    },
    unsubscribe: (handler) => unsubscribe(options, handler),
    subscribe: engine.feed.subscribe,
    matchReference: (key) => matchReference(engine, key),
    redecide: (filter) => redecide(engine, filter),
    health(healthOptions = {}) {
      const isStarted = engine.state === 'started'
      const hasOtherPolicy = background.registration.hasOtherPolicy()
      const sources = { ...options, orders: given.orders, isStarted, hasOtherPolicy }
      return checkHealth(sources, healthOptions)
    },
    close: () => (closed ??= close(engine)),
  }
}

/** The parts of one Payments, and its state. */
interface Engine<O extends Order> {
  orders: OrderRepository<O>
  options: ResolvedOptions<O> & SubmitOptions<O>
  registry: HandlerRegistry<O>
  feed: DecisionFeed
  background: Background<O>
  state: ReturnType<Payments['state']>
  /** Returned by the instrumentation. */
  stopObserving?: unknown
}

function createEngine<O extends Order>(given: PaymentsOptions<O>): Engine<O> {
  const resolved = resolveOptions(given)
  const registry = createHandlerRegistry<O>(given)
  const feed = createDecisionFeed(resolved.logger)
  const options: Engine<O>['options'] = {
    ...resolved,
    announce(decision, transfer, { merchant, source, id: reportId }) {
      feed.publish({ decision, transfer, merchant, source, reportId })
      background.wakeFor(decision)
    },
  }
  const background = createBackground({ ...options, registry })
  return { orders: given.orders, options, registry, feed, background, state: 'idle' }
}

function start<O extends Order>(engine: Engine<O>): void {
  if (engine.state === 'closed') {
    const problem = 'Payments was closed; create a new one'
    throw new ConfigurationError({ option: 'start', problem })
  }
  if (engine.state === 'started') return
  engine.state = 'started'
  const { options, feed, background, orders } = engine
  const { name, inbox, clock, logger, instrumentation } = options
  const { subscribe } = feed
  const watched = { name, subscribe, inboxStats: () => inbox.stats({ name }), clock }
  callListener(() => (engine.stopObserving = instrumentation.payments?.(watched)))
  background.start()
  if (options.proof !== undefined) void warnOfMissingHashes(orders, logger)
}

async function close<O extends Order>(engine: Engine<O>): Promise<void> {
  const wasStarted = engine.state === 'started'
  engine.state = 'closed'
  if (!wasStarted) return
  await engine.background.stop()
  await endsWithin(engine.options, RELEASE_MS, logLost(engine.options))
  const { stopObserving } = engine
  callListener(() => typeof stopObserving === 'function' && stopObserving())
}

async function submit<O extends Order>(
  { options, background, state }: Engine<O>,
  given: TransferReport,
): Promise<Decision | undefined> {
  checkOpen(state, options.inbox.isDurable)
  const row = toNewReport(options.name, given)
  if (state !== 'started') {
    const { report } = await storeReport(options, { ...row, retryInMs: 0 })
    return report.state === 'decided' ? duplicateOf(report) : undefined
  }
  await background.registration.ready()
  const stored = await storeReport(options, row)
  if (given.transfer !== undefined) return decideStored(options, stored, given.transfer)
  logUnreadable(options.logger, stored.report)
  return undefined
}

/** @throws {ConfigurationError} when a report would be lost. */
function checkOpen(state: ReturnType<Payments['state']>, isDurable: boolean): void {
  if (state === 'started' || (state === 'idle' && isDurable)) return
  const problem =
    state === 'closed'
      ? 'Payments was closed'
      : 'Payments has not been started, and its inbox is lost with the process'
  throw new ConfigurationError({ option: 'payments', problem })
}

async function unsubscribe<O extends Order>(
  { inbox, name }: ResolvedOptions<O>,
  handler: string,
): Promise<boolean> {
  if (handler === PROOF_TASK) {
    const problem = 'is not a handler of the shop; disable proofs with verifyOnChain'
    throw new ConfigurationError({ option: PROOF_TASK, problem })
  }
  return attempt('inbox.unsubscribe', () => inbox.unsubscribe({ name, handler }))
}

async function matchReference<O extends Order>(
  engine: Engine<O>,
  key: string | OrderKey,
): Promise<number> {
  const { inbox, name } = engine.options
  const { registration, reports } = engine.background
  const { reference, merchant = '' } = typeof key === 'string' ? { reference: key } : key
  checkMerchant(merchant)
  const order = { reference, merchant }
  const parked = await attempt('inbox.matchReference', () =>
    inbox.matchReference({ name, ...order }),
  )
  if (parked > 0 && engine.state === 'started') {
    await registration.ready()
    await reports.decideOrder(order)
  }
  return parked
}

async function redecide<O extends Order>(
  { options: { inbox, name }, background }: Engine<O>,
  filter: string | RedecideFilter,
): Promise<number> {
  const query = typeof filter === 'string' ? { ids: [filter] } : checkFilter(filter)
  const count = await attempt('inbox.redecide', () => inbox.redecide({ ...query, name }))
  if (count > 0) background.reports.wake()
  return count
}
