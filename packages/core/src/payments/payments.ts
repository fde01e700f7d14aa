import { PROOF_TASK, type Inbox } from '../inbox/inbox.js'
import type { HandlerEvent } from '../inbox/handler-event.js'
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
import { explainReport } from './explain-report.js'
import { watchStores, type LastStore } from './last-store.js'
import { listTransfers } from './list-transfers.js'
import { resolveOptions, type PaymentsOptions, type ResolvedOptions } from './options.js'
import { toNewReport, type OperatorNote, type TransferReport } from './report.js'
import { attach, redecide, retry, type RedecideFilter } from './operator-actions.js'
import { checkedKey, fullKey } from './read-key.js'
import { StatusFeed } from './status-feed.js'
import type { TransferQuery } from './transfer-query.js'
import { createStatusStream, type PaymentStatusEvent } from './status-stream.js'
import { decideStored, duplicateOf, storeReport, type SubmitOptions } from './submit.js'
import { logLost, logUnreadable, warnOfMemory, warnOfMissingHashes } from './warnings.js'

/** Decides about payments: the only place that completes orders. Doors report transfers to it. */
export interface Payments<O extends Order = Order> {
  readonly name: string
  /** In canonical format, as given in the options. */
  readonly wallets: readonly string[] | undefined
  /** The shop's repository, as given in the options. */
  readonly orders: OrderRepository<O>
  readonly inbox: Inbox
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
   * Reports the payment of an order to its buyer: its status at once, then each change, whichever process has decided.
   * - `waiting`: no payment has arrived, or a transfer has failed. An unknown order is `waiting`, too.
   * - `seen`: a payment was reported and the order is not paid. It is being verified, or it does not fit and the shop decides.
   * - `underpaid`: less than the expected amount has arrived.
   * - `expired`: the order has expired or was cancelled. A late payment still becomes `seen` and `paid`.
   * - `paid`: the order is completed. The last event.
   *
   * Ends when the signal is aborted and when Payments is closed, too. Needs no `start`. Stores that fail are read again.
   * @throws {ConfigurationError} when the key is not one.
   * @example
   * ```ts
   * for await (const { status } of payments.events(reference, { signal })) console.log(status)
   * ```
   */
  events(
    key: string | OrderKey,
    options?: { signal?: AbortSignal | undefined },
  ): AsyncIterable<PaymentStatusEvent>
  /**
   * Shows a `waiting` order as `seen`, for example because its payment is pending, or as `waiting` again. Changes only the
   * status that `events` of this process reports, for two minutes. The payment watcher calls it for events of its stream.
   * @throws {ConfigurationError} when the key is not one.
   */
  setSeen(key: string | OrderKey, isSeen: boolean): void
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
   * @param note for a single report: is stored with it before anything else, if it names an operator
   * @returns how many reports will be decided again.
   * @throws {ConfigurationError} for an empty filter or an unknown field.
   */
  redecide(filter: string | RedecideFilter, note?: OperatorNote): Promise<number>
  /**
   * Runs the dead handlers of a report again: those that have used all their attempts. Hands handlers that wait in a queue
   * engine over to it again, in case it has lost them; it keeps one job for each. The started processes do both within
   * seconds. A handler that is done never runs twice.
   * @param query.handler the registered name, for example `onPaid.ship`. @default every dead or relayed one
   * @param note is stored with the report before anything else, if it names an operator
   * @returns how many handlers will run again.
   */
  retry(
    query: { reportId: string; handler?: string | undefined },
    note?: OperatorNote,
  ): Promise<number>
  /**
   * Lists reported transfers for an operator, newest first: with the decision, and what to do about the money. For the next
   * page pass the `reportId` of the last one as `before`.
   * @throws {ConfigurationError} for an invalid query.
   */
  list(query?: TransferQuery): ReturnType<typeof listTransfers>
  /**
   * Returns the story of a report, for an operator: its body, its order as it is now, the verdict of each rule about them, and
   * what operators did. Changes nothing.
   * @returns `undefined` for an unknown report.
   */
  explain(reportId: string): ReturnType<typeof explainReport<O>>
  /**
   * Credits a transfer to an order by hand, for example one whose payer wrote no comment. Applies the same rules, including
   * the on-chain proof, except that neither the body nor the age of the transfer must fit the order. Stores a report with
   * the source `operator`, who did it, and why. Safe to repeat: a transfer that was rejected is decided again.
   * @param transactionHash of a stored report, in hex or base64
   * @returns the decision; `unverified` with the reason `reused` when the transfer has paid another order or is being
   *   refunded; `undefined` when Payments is not started or its policy is not the pinned one: a started process with the
   *   pinned policy decides it within seconds.
   * @throws {ConfigurationError} when no stored report shows that this transaction brought money.
   */
  attach(
    transactionHash: string,
    key: string | OrderKey,
    note?: OperatorNote,
  ): Promise<Decision | undefined>
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
    inbox: options.uncheckedInbox,
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
    events: (key, { signal } = {}) => createStatusStream(engine.statuses, fullKey(key), signal),
    setSeen: (key, isSeen) => engine.statuses.setSeen(fullKey(key), isSeen),
    matchReference: (key) => matchReference(engine, key),
    redecide: (filter, note = {}) => redecide(engine, filter, note),
    retry: (query, note = {}) => retry(engine, query, note),
    list: (query = {}) => listTransfers(options, query),
    explain: (reportId) => explainReport(options, reportId),
    attach: async (transactionHash, key, note = {}) => {
      const order = checkedKey(key)
      checkOpen(engine)
      return attach(engine, { transactionHash, order }, note)
    },
    health: (healthOptions = {}) => checkHealth(healthSourcesOf(engine), healthOptions),
    close: () => (closed ??= close(engine)),
  }
}

/** The parts of one Payments, and its state. */
interface Engine<O extends Order> {
  orders: OrderRepository<O>
  options: ResolvedOptions<O> & SubmitOptions<O> & { lastStore: LastStore }
  registry: HandlerRegistry<O>
  feed: DecisionFeed
  background: Background<O>
  statuses: StatusFeed
  state: ReturnType<Payments['state']>
  /** Returned by the instrumentation. */
  stopObserving?: unknown
}

function createEngine<O extends Order>(given: PaymentsOptions<O>): Engine<O> {
  const resolved = watchStores<O, ResolvedOptions<O>>(resolveOptions(given))
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
  const statuses = new StatusFeed(options, feed.subscribe)
  return { orders: given.orders, options, registry, feed, background, statuses, state: 'idle' }
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
  const { subscribe } = feed
  const watched = { name, subscribe, inboxStats: () => inbox.stats({ name }), clock }
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
  return inbox.unsubscribe({ name, handler })
}

async function matchReference<O extends Order>(
  engine: Engine<O>,
  key: string | OrderKey,
): Promise<number> {
  const { inbox, name } = engine.options
  const { registration, reports } = engine.background
  const order = checkedKey(key)
  const parked = await inbox.matchReference({ name, ...order })
  if (parked > 0 && engine.state === 'started') {
    await registration.ready()
    await reports.decideOrder(order)
  }
  return parked
}
