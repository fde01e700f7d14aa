import { PROOF_TASK } from '../inbox/inbox-tasks.js'
import type { HandlerEvent } from '../inbox/handler-event.js'
import type { Decision } from '../orders/decision.js'
import type { Order, OrderKey } from '../orders/order.js'
import type { OrderRepository } from '../orders/repository.js'
import { addsUp } from '../orders/amounts.js'
import { callListener } from '../../shared/instrumentation.js'
import { ConfigurationError } from '../../shared/configuration-error.js'
import { createBackground, endsWithin, RELEASE_MS, type Background } from './background.js'
import { createDecisionFeed, type DecisionFeed, type DecisionListener } from './decision-feed.js'
import type { Handler, HandlerEvents } from './events.js'
import type { EngineParts, Runtime } from './engine-parts.js'
import { createHandlerRegistry, type HandlerRegistry } from './handler-registry.js'
import { checkHealth, type PaymentsHealth, type PaymentsHealthOptions } from './health.js'
import { explainReport } from './explain-report.js'
import type { PaymentsInternals } from './internals.js'
import { watchStores, type LastStore } from './last-store.js'
import { resolveOptions, type PaymentsOptions, type ResolvedOptions } from './options.js'
import { submitByOperator } from './operator-report.js'
import { toNewReport, type TransferReport } from './report.js'
import { checkedKey, fullKey } from './read-key.js'
import { StatusFeed } from './status-feed.js'
import type { PaymentStatusEvent } from './payment-status.js'
import { createStatusStream } from './status-stream.js'
import { decideStored, duplicateOf, storeReport } from './submit.js'
import { lookUpLater } from './look-up-later.js'
import { createWatchers, type Watchers } from './watchers.js'
import { logLost, logUnreadable, warnOfMemory, warnOfMissingHashes } from './warnings.js'

/** Decides about payments: the only place that completes orders. Sources report transfers to it. */
export interface Payments<O extends Order = Order> {
  /** The name in the options. */
  readonly name: string
  /** `idle` until `start` is called. */
  state(): 'idle' | 'started' | 'closed'
  /**
   * Starts to decide reports and to run handlers. Register handlers before.
   * @throws {ConfigurationError} after `close`.
   */
  start(): void
  /**
   * Stores a report that a source has authenticated, then decides it. Resolves when the decision is durable.
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
  removeHandler(handler: string): Promise<boolean>
  /** Calls `listener` after each durable decision of this process. Returns the function that ends it. */
  onDecision(listener: DecisionListener): () => void
  /**
   * Reports the payment of an order to its buyer: its status at once, then each change, whichever process has decided.
   * - `waiting`: no payment has arrived, or a transfer has failed. An unknown order is `waiting`, too.
   * - `detected`: a payment was reported and is being verified.
   * - `partially_paid`: less than the expected amount has arrived: `received`.
   * - `needs_shop`: money has arrived that does not fit the order, or after it was cancelled. The shop was notified, and decides.
   * - `expired`: the order has expired or was cancelled, and no money has arrived. A late payment still becomes `detected`, and
   *   `paid` if the order was not cancelled.
   * - `paid`: the order is completed, with a `surplus` if too much has arrived. The last event.
   *
   * Ends when the signal is aborted and when Payments is closed, too. Needs no `start`. Stores that fail are read again.
   * @throws {ConfigurationError} when the key is not one.
   * @example
   * ```ts
   * for await (const { status } of payments.watchStatus(reference, { signal })) console.log(status)
   * ```
   */
  watchStatus(
    key: string | OrderKey,
    options?: { signal?: AbortSignal | undefined },
  ): AsyncIterable<PaymentStatusEvent>
  /**
   * Shows a `waiting` order as `detected`, for example because its payment is pending, or as `waiting` again. Changes only the
   * status that `events` of this process reports, for two minutes. The payment watcher calls it for events of its stream.
   * @throws {ConfigurationError} when the key is not one.
   */
  setDetected(key: string | OrderKey, isDetected: boolean): void
  /**
   * Decides the reports that arrived before this order was stored. Without this call they are decided within seconds at
   * first, within an hour for old reports.
   * @returns how many reports were parked for the order.
   */
  orderCreated(key: string | OrderKey): Promise<number>
  /**
   * Checks whether payments can be accepted now, for a load balancer or a monitor.
   * @throws {ConfigurationError} for an invalid time. Stores that fail are reported as `down`, not thrown.
   */
  health(options?: PaymentsHealthOptions): Promise<PaymentsHealth>
  /**
   * Accepts no more reports; waits up to `drainTimeoutMs` for running handlers, then aborts their signals and releases
   * their tasks to other processes. Close sources first.
   */
  close(): Promise<void>
  /** Not for apps: for the watcher, the receiver, operators and bridges. May change in any release. */
  readonly internals: PaymentsInternals<O>
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
  let closed: Promise<void> | undefined
  if (!options.inbox.isDurable) warnOfMemory(options)
  if (options.autoStart) start(engine)

  return {
    name: options.name,
    state: () => engine.state,
    start: () => start(engine),
    submit: (report) => submit(engine, report),
    addHandler(event, handler, { name: handlerName } = {}) {
      registry.add(event, handler, handlerName)
      if (engine.state === 'started') background.addHandlers()
    },
    removeHandler: (handler) => unsubscribe(options, handler),
    onDecision: engine.feed.subscribe,
    watchStatus: (key, { signal } = {}) =>
      createStatusStream(engine.statuses, fullKey(key), signal),
    setDetected: (key, isDetected) => engine.statuses.setDetected(fullKey(key), isDetected),
    orderCreated: (key) => orderCreated(engine, key),
    health: (healthOptions = {}) => checkHealth(healthSourcesOf(engine), healthOptions),
    close: () => (closed ??= close(engine)),
    internals: internalsOf(engine),
  }
}

/** The parts of one Payments, and its state. */
interface Engine<O extends Order> extends EngineParts<O> {
  name: string
  /** The shop's repository, as given. */
  orders: OrderRepository<O>
  options: ResolvedOptions<O> & { lastStore: LastStore }
  registry: HandlerRegistry<O>
  feed: DecisionFeed
  background: Background<O>
  statuses: StatusFeed
  state: ReturnType<Payments['state']>
  watchers: Watchers
  /** Returned by the instrumentation. */
  stopObserving?: unknown
}

function createEngine<O extends Order>(given: PaymentsOptions<O>): Engine<O> {
  const options = watchStores<O, ResolvedOptions<O>>(resolveOptions(given))
  const { orders, inbox, joined, wallets, amounts, acceptLate, rules, proof, clock, logger } =
    options
  const registry = createHandlerRegistry<O>(given)
  const feed = createDecisionFeed(logger)
  const watchers = createWatchers()
  const stores = { orders, inbox, joined }
  const policy = { wallets, amounts, acceptLate, rules, proof }
  const runtime: Runtime = {
    clock,
    logger,
    isWatched: () => background.registration.isWatched(),
    lookUp: watchers.lookUp,
    claimLateRefunds: watchers.claimLateRefunds,
    hasOtherNames: () => background.registration.hasOtherNames(),
    announce(decision, transfer, report) {
      const { merchant, source, id: reportId } = report
      feed.publish({ decision, transfer, merchant, source, reportId })
      background.wakeFor(decision)
      lookUpLater({ policy, runtime }, decision, { report, transfer })
    },
  }
  const parts = { stores, policy, runtime }
  const { isWatched: isWatching } = watchers
  const background = createBackground({ ...options, registry, isWatching }, parts)
  const statuses = new StatusFeed(
    { ...options, checkedUntil: watchers.checkedUntil },
    feed.subscribe,
  )
  return {
    ...parts,
    name: options.name,
    orders: given.orders,
    options,
    registry,
    feed,
    background,
    statuses,
    watchers,
    state: 'idle',
  }
}

function internalsOf<O extends Order>(engine: Engine<O>): PaymentsInternals<O> {
  const { options, orders, background, watchers } = engine
  const { wallets, uncheckedInbox: inbox, proof, clock, logger, instrumentation } = options
  return {
    wallets,
    orders,
    inbox,
    proof,
    isAddingUp: addsUp(engine.policy.amounts),
    clock,
    logger,
    instrumentation,
    addWatcher: watchers.add,
    explain: (report, order) => explainReport(engine.policy, report, order),
    submitByOperator: async (report, how) => {
      checkOpen(engine)
      return submitByOperator(engine, report, how)
    },
    wakeReports: () => background.wakeReports(),
    wakeTasks: () => background.wakeTasks(),
  }
}

function healthSourcesOf<O extends Order>({ options, orders, state, background }: Engine<O>) {
  const { registration, storeClock, queueProblem } = background
  const hasOtherPolicy = registration.hasOtherPolicy()
  const clockProblem = storeClock.problem()
  const isStarted = state === 'started'
  return { ...options, orders, isStarted, hasOtherPolicy, clockProblem, queueProblem }
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
  const { subscribe: onDecision } = feed
  const watched = { name, onDecision, inboxStats: () => inbox.stats({ name }), clock }
  callListener(() => (engine.stopObserving = instrumentation.payments?.(watched)))
  background.start()
  if (options.proof !== undefined) void warnOfMissingHashes(orders, logger)
}

async function close<O extends Order>(engine: Engine<O>): Promise<void> {
  const wasStarted = engine.state === 'started'
  engine.state = 'closed'
  await engine.statuses.close()
  if (!wasStarted) return
  await engine.background.stop()
  await endsWithin(engine.options, RELEASE_MS, logLost(engine.options))
  const { stopObserving } = engine
  callListener(() => typeof stopObserving === 'function' && stopObserving())
}

async function submit<O extends Order>(
  engine: Engine<O>,
  given: TransferReport,
): Promise<Decision | undefined> {
  const { options, background } = engine
  if (engine.state !== 'started') checkOpen(engine)
  const row = toNewReport(options.name, given)
  if (engine.state !== 'started') {
    const { report } = await storeReport(engine.stores, { ...row, retryInMs: 0 })
    return report.state === 'decided' ? duplicateOf(report) : undefined
  }
  await background.registration.ready()
  const stored = await storeReport(engine.stores, row)
  if (given.transfer !== undefined) return decideStored(engine, stored, given.transfer)
  logUnreadable(options.logger, stored.report)
  return undefined
}

/** @throws {ConfigurationError} when a report would be lost. */
function checkOpen<O extends Order>({ state, options }: Engine<O>): void {
  if (state === 'started' || (state === 'idle' && options.inbox.isDurable)) return
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
  return inbox.processes.unsubscribe({ name, handler })
}

async function orderCreated<O extends Order>(
  engine: Engine<O>,
  key: string | OrderKey,
): Promise<number> {
  const { inbox, name } = engine.options
  const { registration } = engine.background
  const order = checkedKey(key)
  const parked = await inbox.reports.orderCreated({ name, ...order })
  if (parked > 0 && engine.state === 'started') {
    await registration.ready()
    await engine.background.decideOrder(order)
  }
  return parked
}
