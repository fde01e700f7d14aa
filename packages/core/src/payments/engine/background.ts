import type { Report } from '../inbox/inbox-reports.js'
import { PROOF_TASK } from '../inbox/inbox-tasks.js'
import type { Decision } from '../orders/decision.js'
import type { Order, OrderKey } from '../orders/order.js'
import { withDeadline } from '../../shared/timers.js'
import { DECISIONS } from './decision-table.js'
import type { HandlerRegistry } from './handler-registry.js'
import type { ResolvedOptions } from './options.js'
import { createDueRelays } from './due-relays.js'
import { createDueReports } from './due-reports.js'
import { createDueTasks, type DueTasks, type TaskLane } from './due-tasks.js'
import { createDueWork, endOf, type DueWork, type WorkKind } from './due-work.js'
import { createProofRunner, PROOF_CONCURRENCY } from './proof-runner.js'
import type { EngineParts } from './engine-parts.js'
import { findQueueProblem } from './queue-problem.js'
import { createQueueWorker } from './queue-worker.js'
import { createRegistration, describePolicy, type Registrar } from './registration.js'
import { runHandler } from './run-handler.js'
import type { TaskRunner } from './run-task.js'
import { decideAgain } from './submit.js'
import { createStoreClock } from './store-clock.js'

/** Time for the stores to record the released tasks of a closing process. */
export const RELEASE_MS = 3000

/** Options of {@link createBackground}. */
export interface BackgroundOptions<O extends Order> extends ResolvedOptions<O> {
  registry: HandlerRegistry<O>
  isWatching: () => boolean
}

/** The background work of one process. */
export type Background<O extends Order> = ReturnType<typeof createBackground<O>>

/** Creates the background work: the registration of the process, due reports, and due tasks. */
export function createBackground<O extends Order>(
  options: BackgroundOptions<O>,
  engine: EngineParts<O>,
) {
  const policy = describePolicy(options)
  const { registry } = options
  const { subscriptions } = registry
  const storeClock = createStoreClock(options)
  const registration = createRegistration({ ...options, policy, subscriptions, storeClock })
  const decide = (report: Report): Promise<void> => decideAgain(engine, report)
  const reports = createDueReports({ ...options, policy, decide })
  const handlerRunner = createHandlerRunner(options)
  const lanes = createLanes(options, registration, {
    handlers: handlerRunner,
    proofs: createProofRunner(engine),
  })
  const tasks = createDueTasks({ ...options, lanes })
  const queue = createQueueWork(options, handlerRunner)
  const kinds = [reports, tasks, ...(queue === undefined ? [] : [queue.relays])]
  const handlers = (): string[] | undefined =>
    queue === undefined ? tasks.freeHandlers() : undefined
  const due = createDueWork({ ...options, registration, handlers, kinds })

  return {
    registration,
    storeClock,
    start(): void {
      for (const work of [registration, due, queue?.jobs]) work?.start()
    },
    /** Decides the reports of an order that are due now. */
    async decideOrder(key: Required<OrderKey>): Promise<void> {
      await reports.decideOrder(key)
      due.wake(reports)
    },
    /** Decides reports that an operator or an order has made due. */
    wakeReports: () => due.wake(reports),
    /** Subscribes handlers that were registered after the start. */
    addHandlers(): void {
      registration.renew()
      queue?.jobs.start()
    },
    /** Starts the work that a decision has made due. */
    wakeFor(decision: Decision): void {
      if (decision.kind === 'unknown_order') due.wake(reports)
      if (decision.kind === 'verifying') due.wake(tasks)
      const event = DECISIONS[decision.kind].event
      if (event === undefined) return
      if (queue !== undefined) due.wake(queue.relays)
      // Processes with other handlers poll.
      else if (registry.events.has(event)) due.wake(tasks)
    },
    /** Runs tasks that an operator has reset. */
    wakeTasks(): void {
      due.wake(tasks)
      if (queue !== undefined) due.wake(queue.relays)
    },
    /** Returns why the queue engine does not run the tasks; `undefined` without a problem or an engine. */
    queueProblem: queue?.problem ?? (() => Promise.resolve(undefined)),
    /** Starts no new work; waits for running work up to `drainTimeoutMs`, then aborts it and releases its tasks. */
    stop: () => stop(options, { registration, due, reports, tasks, queue }),
  }
}

interface Work {
  registration: Registrar
  due: DueWork
  reports: WorkKind
  tasks: DueTasks
  queue: ReturnType<typeof createQueueWork>
}

async function stop<O extends Order>(
  options: BackgroundOptions<O>,
  { registration, due, reports, tasks, queue }: Work,
): Promise<void> {
  const { inbox, drainTimeoutMs } = options
  const { jobs, relays } = queue ?? {}
  if (inbox.isDurable) tasks.close()
  const decide = async (): Promise<void> => {
    await due.stop()
    await endOf(new Set([...reports.running, ...(relays?.running ?? [])]))
  }
  const deciding = Promise.all([registration.stop(), decide()])
  // An inbox that is lost with the process runs the tasks of these decisions, too.
  const decided = inbox.isDurable ? Promise.resolve() : deciding
  const ran = decided.then(() => Promise.all([tasks.drain(), jobs?.stop()]))
  const stopped = Promise.all([deciding, ran])
  if (await endsWithin(options, drainTimeoutMs, stopped)) return
  jobs?.abort()
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

/** Creates the runner of handlers, whether the inbox or a queue engine owns their tasks. */
function createHandlerRunner<O extends Order>(options: BackgroundOptions<O>): TaskRunner {
  return {
    retry: options.handlerRetry,
    timeoutMs: options.handlerTimeoutMs,
    run: (task, signal) => runHandler(options, task, signal).then(() => ({ kind: 'done' })),
  }
}

/** Returns a function that lists the tasks of this process: runs of its handlers, unless a queue engine runs them, and proofs. */
function createLanes<O extends Order>(
  options: BackgroundOptions<O>,
  { isPinned }: Registrar,
  runners: { handlers: TaskRunner; proofs: TaskRunner },
): () => TaskLane[] {
  const { registry, queue, handlerConcurrency: concurrency } = options
  const proofs: TaskLane = {
    handler: PROOF_TASK,
    concurrency: PROOF_CONCURRENCY,
    runner: runners.proofs,
  }
  return () => [
    ...(queue === undefined
      ? registry.names().map((handler) => ({ handler, concurrency, runner: runners.handlers }))
      : []),
    // A process with another policy, or not registered yet, proves nothing for the others.
    ...(isPinned() ? [proofs] : []),
  ]
}

/** Hands tasks to the queue engine, and runs its jobs. */
function createQueueWork<O extends Order>(options: BackgroundOptions<O>, runner: TaskRunner) {
  const { queue, handlerRetry: retry, handlerConcurrency: concurrency, registry } = options
  if (queue === undefined) return undefined
  const handlers = registry.names
  const relays = createDueRelays({ ...options, queue, retry })
  const jobs = createQueueWorker({ ...options, queue, concurrency, runner, handlers })
  return {
    relays,
    jobs,
    problem: () => findQueueProblem({ ...options, queue, handlers, relay: relays, jobs }),
  }
}
