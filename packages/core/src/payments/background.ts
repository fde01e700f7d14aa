import { PROOF_TASK, type Report } from '../inbox/inbox.js'
import type { Decision } from '../orders/decision.js'
import type { Order } from '../orders/order.js'
import { withDeadline } from '../shared/deadline.js'
import { EVENT_OF, type HandlerRegistry } from './handler-registry.js'
import type { ResolvedOptions } from './options.js'
import { createDueWatch } from './due-watch.js'
import type { Poller } from './poller.js'
import { createProofRunner, PROOF_CONCURRENCY } from './proof-runner.js'
import { findQueueProblem } from './queue-problem.js'
import { createQueueWorker } from './queue-worker.js'
import { createRegistration, describePolicy, type Registrar } from './registration.js'
import { createRelayPoller } from './relay-poller.js'
import { createReportPoller } from './report-poller.js'
import { runHandler, type HandlerRun } from './run-handler.js'
import { decideAgain, type SubmitOptions } from './submit.js'
import { createStoreClock } from './store-clock.js'
import { createTaskPoller, type TaskLane } from './task-poller.js'

/** Time for the stores to record the released tasks of a closing process. */
export const RELEASE_MS = 3000

/** Options of {@link createBackground}. */
export type BackgroundOptions<O extends Order> = ResolvedOptions<O> &
  SubmitOptions<O> & { registry: HandlerRegistry<O> }

/** The background work of one process. */
export type Background<O extends Order> = ReturnType<typeof createBackground<O>>

/** Creates the background work: the registration of the process, due reports, and due tasks. */
export function createBackground<O extends Order>(options: BackgroundOptions<O>) {
  const policy = describePolicy(options)
  const { registry } = options
  const { subscriptions } = registry
  const storeClock = createStoreClock(options)
  const registration = createRegistration({ ...options, policy, subscriptions, storeClock })
  const decide = (report: Report): Promise<void> => decideAgain(options, report)
  const watch: Poller = createDueWatch({
    ...options,
    registration,
    handlers: () => (queue === undefined ? tasks.freeHandlers() : undefined),
    pollers: () => [reports, tasks, ...(queue === undefined ? [] : [queue.relay])],
  })
  const reports = createReportPoller({ ...options, policy, decide, watch })
  const lanes = createLanes(options, registration)
  const tasks = createTaskPoller({ ...options, lanes, watch })
  const queue = createQueueWork(options, watch)

  return {
    registration,
    storeClock,
    reports,
    start(): void {
      for (const work of [registration, reports, tasks, queue, watch]) work?.start()
    },
    /** Subscribes handlers that were registered after the start. */
    addHandlers(): void {
      registration.renew()
      queue?.start()
    },
    /** Starts the work that a decision has made due. */
    wakeFor(decision: Decision): void {
      if (decision.kind === 'unmatched') reports.wake()
      if (decision.kind === 'verifying') tasks.wake()
      const event = EVENT_OF[decision.kind]
      if (event === undefined) return
      if (queue !== undefined) queue.wake()
      // Processes with other handlers poll.
      else if (registry.events.has(event)) tasks.wake()
    },
    /** Runs tasks that an operator has reset. */
    wakeTasks(): void {
      tasks.wake()
      queue?.wake()
    },
    /** Returns why the queue engine does not run the tasks; `undefined` without a problem or an engine. */
    queueProblem: queue?.problem ?? (() => Promise.resolve(undefined)),
    /** Starts no new work; waits for running work up to `drainTimeoutMs`, then aborts it and releases its tasks. */
    stop: () => stop(options, { registration, reports, tasks, queue, watch }),
  }
}

interface Work {
  registration: Registrar
  reports: ReturnType<typeof createReportPoller>
  tasks: ReturnType<typeof createTaskPoller>
  queue: ReturnType<typeof createQueueWork>
  watch: Poller
}

async function stop<O extends Order>(
  options: BackgroundOptions<O>,
  { registration, reports, tasks, queue, watch }: Work,
): Promise<void> {
  const { inbox, drainTimeoutMs } = options
  const deciding = Promise.all([registration.stop(), reports.stop(), queue?.relay.stop()])
  // An inbox that is lost with the process runs the tasks of these decisions, too.
  const decided = inbox.isDurable ? Promise.resolve() : deciding
  const ran = decided.then(() => Promise.all([watch.stop(), tasks.stop(), queue?.jobs.stop()]))
  const stopped = Promise.all([deciding, ran])
  if (await endsWithin(options, drainTimeoutMs, stopped)) return
  queue?.jobs.abort()
  await endsWithin(options, RELEASE_MS, Promise.all([tasks.abort(), stopped]))
}

/** @returns false when the work takes longer; it continues. */
export function endsWithin<O extends Order>(
  { clock }: ResolvedOptions<O>,
  deadlineMs: number,
  work: Promise<unknown>,
): Promise<boolean> {
  return withDeadline(
    { clock, deadlineMs },
    () => work.then(() => true),
    () => false,
  )
}

/** Returns a function that lists the tasks of this process: those of its handlers, unless a queue engine runs them, and proofs. */
function createLanes<O extends Order>(
  options: BackgroundOptions<O>,
  { isPinned }: Registrar,
): () => TaskLane[] {
  const { registry, queue, handlerRetry, handlerTimeoutMs, handlerConcurrency } = options
  const handlers: Omit<TaskLane, 'handler'> = {
    concurrency: handlerConcurrency,
    runner: {
      retry: handlerRetry,
      timeoutMs: handlerTimeoutMs,
      run: (task, signal) => runHandler(options, task, signal).then(() => ({ kind: 'done' })),
    },
  }
  const proofs: TaskLane = {
    handler: PROOF_TASK,
    concurrency: PROOF_CONCURRENCY,
    runner: createProofRunner(options, options.logger),
  }
  return () => [
    ...(queue === undefined ? registry.names().map((handler) => ({ ...handlers, handler })) : []),
    // A process with another policy, or not registered yet, proves nothing for the others.
    ...(isPinned() ? [proofs] : []),
  ]
}

/** Hands tasks to the queue engine, and runs its jobs. */
function createQueueWork<O extends Order>(options: BackgroundOptions<O>, watch: Poller) {
  const { queue, handlerRetry: retry, handlerConcurrency: concurrency, registry } = options
  if (queue === undefined) return undefined
  const relay = createRelayPoller({ ...options, queue, retry, watch })
  const jobs = createQueueWorker({
    ...options,
    queue,
    retry,
    concurrency,
    handlers: registry.names,
    runHandler: (run: HandlerRun, signal) => runHandler(options, run, signal),
  })
  return {
    relay,
    jobs,
    wake: () => relay.wake(),
    problem: () => findQueueProblem({ ...options, queue, handlers: registry.names, relay, jobs }),
    /** May be called again, with new handlers. */
    start(): void {
      relay.start()
      jobs.start()
    },
  }
}
