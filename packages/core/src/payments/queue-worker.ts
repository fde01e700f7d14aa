import type { QueuedTask, TaskQueue, TaskRetry, TaskWorker } from '../inbox/task-queue.js'
import { runInside } from '../shared/around.js'
import type { Clock } from '../shared/clock.js'
import { sleep } from '../shared/abort.js'
import { withDeadline } from '../shared/deadline.js'
import { describeThrown, errorFacts } from '../shared/error-facts.js'
import { createLogLimit } from '../shared/log-limit.js'
import type { Logger } from '../shared/logger.js'
import type { HandlerRunEnd, PaymentsInstrumentation } from './instrumentation.js'
import type { HandlerRun } from './run-handler.js'

const RECONNECT_MS = 5000

/** Options of {@link createQueueWorker}. */
export interface QueueWorkerOptions {
  name: string
  queue: TaskQueue
  retry: TaskRetry
  concurrency: number
  handlerTimeoutMs: number
  handlers: () => readonly string[]
  clock: Clock
  logger: Logger
  instrumentation: PaymentsInstrumentation
  runHandler: (run: HandlerRun, signal: AbortSignal) => Promise<void>
}

type RunningWorker = Awaited<ReturnType<TaskQueue['work']>>

/** Runs handler tasks as jobs of a queue engine. */
export function createQueueWorker(options: QueueWorkerOptions) {
  const { name, queue, retry, concurrency, clock, logger } = options
  const stopping = new AbortController()
  const begun = new Set<string>()
  const workers: Promise<RunningWorker | undefined>[] = []
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
      workers.push(startWorker(options, { ...worker, handlers }, stopping.signal))
    },
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

/** Runs one job. @throws the handler's error. */
async function runJob(
  options: QueueWorkerOptions,
  { handler, reportId, idempotencyKey }: QueuedTask,
  { attempt, signals }: { attempt: number; signals: AbortSignal[] },
): Promise<void> {
  const run = { handler, reportId, idempotencyKey, attempt }
  const { outcome, thrown } = await runInside(
    options.instrumentation.handler,
    () => ({ payments: options.name, ...run }),
    () => runOnce(options, { run, signals }),
  )
  if (outcome.kind !== 'done') throw thrown
}

async function runOnce(
  { clock, handlerTimeoutMs, runHandler }: QueueWorkerOptions,
  { run, signals }: { run: HandlerRun; signals: AbortSignal[] },
): Promise<HandlerRunEnd> {
  const limit = {
    clock,
    deadlineMs: handlerTimeoutMs,
    isBackground: true,
    signal: AbortSignal.any(signals),
  }
  try {
    await withDeadline(
      limit,
      (signal) => runHandler(run, signal),
      () => {
        throw new Error(`${run.handler} took longer than ${handlerTimeoutMs} ms`)
      },
    )
    return { outcome: { kind: 'done' } }
  } catch (thrown) {
    const error = describeThrown(thrown)
    return { outcome: { kind: 'retry', retryInMs: 0, error }, thrown }
  }
}
