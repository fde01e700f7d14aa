import { createHandlerRegistry } from '../inbox/handler-registry.js'
import type { Handler, HandlerEvent, HandlerEvents } from '../inbox/handlers.js'
import type { InboxStats } from '../inbox/inbox.js'
import { runHandler } from '../inbox/run-handler.js'
import { createSettleFound, type FoundTransferTaker } from '../inbox/settle-found.js'
import { resettle, settle, type SettleOptions } from '../inbox/settle.js'
import { createProofLane } from '../inbox/proof-lane.js'
import { createWorker, type Lane } from '../inbox/worker.js'
import type { Decision, DecisionKind } from '../orders/decision.js'
import type { Order } from '../orders/order.js'
import { callListener } from '../runtime/around.js'
import type { Answer, RefusalKind } from './answer.js'
import { createDecisionFeed, type DecisionListener } from './decision-feed.js'
import { logDecision } from './decision-log.js'
import { createFetchHandler } from './fetch-handler.js'
import type { ReceiverInstrumentation, WatchedReceiver } from './instrumentation.js'
import { checkHealth, type ReceiverHealth, type ReceiverHealthOptions } from './health.js'
import { resolveOptions, type ResolvedOptions, type WebhookReceiverOptions } from './options.js'
import { createReceive } from './receive.js'
import type { WebhookRequest } from './request.js'

const MAX_RUNNING_HANDLERS = 16

/** How many requests ended in which way since the receiver was created. */
export type ReceiverStats = Readonly<Partial<Record<DecisionKind | RefusalKind, number>>>

/** Takes the webhook requests of one merchant, or of several with a secret resolver, to their answers. */
export interface WebhookReceiver<O extends Order = Order> extends FoundTransferTaker {
  /** Lower-case. */
  readonly signatureHeaders: readonly string[]
  readonly maxBodyBytes: number
  /**
   * Takes one request to its answer. A 2xx comes only after the decision is durable.
   * @throws {RuleError} when a function given in the options throws; the delivery stays in the inbox.
   */
  receive(request: WebhookRequest): Promise<Answer>
  /**
   * `receive` for servers that speak Fetch: Hono, Next, Bun, Deno, Workers.
   * @throws {ConfigurationError} for what is no Fetch `Request`, such as a context of Hono, and a request of Express.
   */
  handle(request: Request): Promise<Response>
  /** Calls `listener` after each durable decision. Returns the function that ends it. */
  subscribe(listener: DecisionListener): () => void
  /**
   * Registers a handler besides those of the options.
   * @throws {ConfigurationError} when the event has a handler of this name already.
   */
  addHandler<Event extends HandlerEvent>(
    event: Event,
    handler: Handler<HandlerEvents<O>[Event]>,
    options?: { name?: string | undefined },
  ): void
  /**
   * Decides the deliveries that came before this order was stored. Without this call the inbox finds the order by
   * itself: within seconds at first, within an hour for old deliveries.
   * @returns how many deliveries were parked for the reference.
   */
  matchReference(reference: string): Promise<number>
  stats(): ReceiverStats
  /**
   * Whether deliveries can be taken now, for a load balancer or a monitor: one query of the inbox.
   * @throws {ConfigurationError} for a time that is none. An inbox that fails is `down`, and no error.
   */
  health(options?: ReceiverHealthOptions): Promise<ReceiverHealth>
  /** Begins to receive, when `autoStart` is false. Handlers are registered before. */
  start(): void
  /**
   * Answers 503 from now on; waits up to `drainTimeoutMs` for requests and handlers that are running, and with an
   * inbox that forgets, for those that are due. What still runs then is given back to the inbox.
   */
  close(): Promise<void>
}

/**
 * Creates the receiver of a webhook route.
 * @throws {ConfigurationError} when an option is missing or cannot work.
 * @example
 * const receiver = createWebhookReceiver({
 *   secrets: process.env.TONPAY_WEBHOOK_SECRET!,
 *   orders,
 *   onPaid: async ({ order }) => ship(order),
 * })
 */
export function createWebhookReceiver<O extends Order = Order>(
  given: WebhookReceiverOptions<O>,
): WebhookReceiver<O> {
  const options = resolveOptions(given)
  const { inbox, clock, logger } = options
  const registry = createHandlerRegistry<O>(given, options.name)
  const feed = createDecisionFeed(logger)
  /** Whether there is something to run now, or to look at again. */
  const leavesWork = (decision: Decision): boolean =>
    decision.kind === 'unmatched' ||
    decision.kind === 'verifying' ||
    registry.tasksFor(decision).length > 0
  const settleOptions: SettleOptions<O> = {
    ...options,
    registry,
    announce(decision, transfer, deliveryId) {
      logDecision(logger, { decision, transfer, deliveryId })
      feed.publish({ decision, transfer, deliveryId })
      if (leavesWork(decision)) worker.wake()
    },
  }
  const stopped = new AbortController()
  const handlerLane: Lane = {
    ...options,
    handlers: registry.names,
    places: MAX_RUNNING_HANDLERS,
    runTask: (task, signal) => runHandler(settleOptions, task, signal),
  }
  const proofLane = createProofLane(options, settleOptions, stopped.signal)
  const worker = createWorker({
    ...options,
    lanes: [handlerLane, ...proofLane],
    redeliver: (delivery) => resettle(settleOptions, delivery),
  })
  const gate = createReceive(options, (authentic) => settle(settleOptions, authentic))
  const inboxStats = (): Promise<InboxStats> => inbox.stats({ receiver: options.name })
  const watch = createWatch(options.instrumentation, {
    name: options.name,
    subscribe: feed.subscribe,
    inboxStats,
    clock,
  })
  const settleFound = createSettleFound(settleOptions, gate.isOpen)
  const start = (): void => {
    gate.open()
    watch.begin()
    worker.start()
  }
  const close = async (): Promise<void> => {
    const endMs = clock.nowMs() + options.drainTimeoutMs
    await gate.close()
    // Another process looks again. What an inbox that forgets cannot leave to another one has the drain's time.
    if (inbox.isDurable) stopped.abort()
    await worker.stop(Math.max(0, endMs - clock.nowMs()))
    watch.end()
    stopped.abort()
  }
  let closed: Promise<void> | undefined
  warnOfMemory(options)
  if (options.autoStart) start()

  return {
    name: options.name,
    recipients: options.recipients,
    settleFound,
    signatureHeaders: options.signatureHeaders,
    maxBodyBytes: options.maxBodyBytes,
    receive: gate.receive,
    handle: createFetchHandler(gate.receive),
    subscribe: feed.subscribe,
    addHandler: (event, handler, { name } = {}) => registry.add(event, handler, name),
    async matchReference(reference) {
      const parked = await inbox.matchReference({ receiver: options.name, reference })
      // Before the start handlers may be missing, and after the end nobody would run them.
      if (parked > 0 && gate.isOpen()) await worker.sweepReference(reference)
      return parked
    },
    stats: gate.stats,
    health: (healthOptions = {}) =>
      checkHealth({ name: options.name, inbox, clock, isOpen: gate.isOpen }, healthOptions),
    start,
    close: () => (closed ??= close()),
  }
}

/** Tells the instrumentation of the receiver, from its first start to its end. */
function createWatch({ receiver: watch }: ReceiverInstrumentation, receiver: WatchedReceiver) {
  let hasBegun = false
  let stop: unknown
  return {
    begin(): void {
      if (hasBegun) return
      hasBegun = true
      callListener(() => (stop = watch?.(receiver)))
    },
    end: () => callListener(() => typeof stop === 'function' && stop()),
  }
}

function warnOfMemory<O extends Order>({ inbox, logger }: ResolvedOptions<O>): void {
  if (inbox.isDurable) return
  const isProduction = globalThis.process?.env['NODE_ENV'] === 'production'
  const text = `the ${inbox.name} inbox forgets everything when the process ends`
  if (isProduction) {
    logger.error(
      `${text}, and NODE_ENV is production: a crash loses handlers of acknowledged payments. Give a durable inbox`,
    )
  } else {
    logger.warn(`${text}; fine for development`)
  }
}
