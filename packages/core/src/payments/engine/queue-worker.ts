import type { CheckedInbox } from '../inbox/checked-inbox.js'
import type { QueuedTask, TaskQueue, TaskWorker } from '../inbox/task-queue.js'
import { onAbort } from '../../shared/abort.js'
import { createLogLimit } from '../../shared/logger.js'
import { sleep } from '../../shared/timers.js'
import { errorFacts } from '../../shared/error-facts.js'
import { runTask, type RunTaskOptions, type TaskRunner } from './run-task.js'

const RECONNECT_MS = 5000
/** Attempts to record the outcome of a job, and the delay between them. */
const RECORD_ATTEMPTS = 3
const RECORD_AGAIN_MS = 1000

/** Options of {@link createQueueWorker}. */
export interface QueueWorkerOptions extends Omit<RunTaskOptions, 'runsAgain'> {
  inbox: CheckedInbox
  queue: TaskQueue
  concurrency: number
  runner: TaskRunner
  handlers: () => readonly string[]
}

type RunningWorker = Awaited<ReturnType<TaskQueue['work']>>

/** Runs handler tasks as jobs of a queue engine. */
export function createQueueWorker(options: QueueWorkerOptions) {
  const { name, queue, concurrency, clock, logger } = options
  const { retry } = options.runner
  const stopping = new AbortController()
  const begun = new Set<string>()
  const workers: Promise<RunningWorker | undefined>[] = []
  const unconnected = new Set<string>()
  const limitLog = createLogLimit(clock)

  const worker: Omit<TaskWorker, 'handlers'> = {
    name,
    concurrency,
    retry,
    run: (task, { attempt, signal }) =>
      runJob(options, task, { attempt, signals: [stopping.signal, ...(signal ? [signal] : [])] }),
    onError(error) {
      if (stopping.signal.aborted || limitLog(queue.name) === undefined) return
      logger.warn('queue not reachable', { queue: queue.name, error: errorFacts(error) })
    },
  }

  return {
    /** Starts to run jobs of handlers that were registered since the last call. */
    start(): void {
      const handlers = options.handlers().filter((handler) => !begun.has(handler))
      for (const handler of handlers) begun.add(handler)
      if (handlers.length === 0) return
      for (const handler of handlers) unconnected.add(handler)
      const started = startWorker(options, { ...worker, handlers }, stopping.signal)
      workers.push(started)
      void started.then(() => {
        for (const handler of handlers) unconnected.delete(handler)
      })
    },
    /** Returns the handlers of this process whose jobs it does not run yet, since the engine has not been reached. */
    unconnected: (): string[] => [...unconnected],
    /** Aborts running handlers. */
    abort: () => stopping.abort(new Error('Payments was closed')),
    /** Accepts no more jobs; resolves when no job of this process is running. */
    async stop(): Promise<void> {
      await Promise.all(workers.map(async (started) => (await started)?.stop()))
    },
  }
}

/** Connects to the engine, again and again until it succeeds or the signal is aborted. */
async function startWorker(
  { queue, clock }: QueueWorkerOptions,
  worker: TaskWorker,
  signal: AbortSignal,
): Promise<RunningWorker | undefined> {
  while (!signal.aborted) {
    try {
      return await queue.work(worker)
    } catch (error) {
      worker.onError(error)
      await sleep(clock, RECONNECT_MS, signal, { isBackground: true }).catch(() => undefined)
    }
  }
  return undefined
}

/** Runs one job: a task whose outcome belongs to the engine. @throws the handler's error. */
async function runJob(
  options: QueueWorkerOptions,
  task: QueuedTask,
  { attempt, signals }: { attempt: number; signals: AbortSignal[] },
): Promise<void> {
  for (const signal of signals) signal.throwIfAborted()
  const run = runTask({ ...options, runsAgain: true }, options.runner, { ...task, attempt })
  // A run that a shutdown has aborted returns to the engine, without using an attempt.
  const stop = (): void => run.interrupt('stopped', 'Payments was closed')
  const removeListeners = signals.map((signal) => onAbort(signal, stop))
  const { outcome, thrown } = await run.end
  for (const removeListener of removeListeners) removeListener()
  if (outcome.kind === 'done' || outcome.kind === 'dead') await record(options, task, outcome)
  if (outcome.kind !== 'done') throw thrown
}

/** Records in the inbox that the engine has finished a task, or has failed it for the last time. Never rejects. */
async function record(
  { inbox, clock, logger }: QueueWorkerOptions,
  { name, handler, reference, idempotencyKey }: QueuedTask,
  outcome: Parameters<CheckedInbox['tasks']['finishRelayed']>[0]['outcome'],
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await inbox.tasks.finishRelayed({ name, idempotencyKey, outcome })
      return
    } catch (error) {
      if (attempt < RECORD_ATTEMPTS) {
        await new Promise<void>((resolve) => {
          clock.setTimer(resolve, RECORD_AGAIN_MS, { isBackground: true })
        })
        continue
      }
      const facts = { handler, reference, idempotencyKey, outcome: outcome.kind }
      logger.error('outcome of a job not recorded; the task stays relayed until it is retried', {
        ...facts,
        error: errorFacts(error),
      })
      return
    }
  }
}
