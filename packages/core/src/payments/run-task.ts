import type { Task, TaskOutcome } from '../inbox/inbox.js'
import type { TaskRetry } from '../inbox/task-queue.js'
import { untilAborted } from '../shared/abort.js'
import { runInside } from '../shared/around.js'
import { backoffDelay } from '../shared/backoff.js'
import { withDeadline } from '../shared/deadline.js'
import { describeThrown, errorFacts } from '../shared/error-facts.js'
import type { WorkOptions } from './inbox-poller.js'
import type { HandlerRunEnd } from './instrumentation.js'
import { factsOf, keepLease, type ClaimedTask } from './task-lease.js'

/** Time for an aborted run to end when its process closes. */
const ABORT_GRACE_MS = 1000
/** Runs of a task that may end with their process, and so without a record. */
const SPARE_ATTEMPTS = 20

/** Runs one kind of task. */
export interface TaskRunner {
  retry: TaskRetry
  timeoutMs: number
  /** Runs a task once, and returns its outcome. After a throw it is retried. */
  run: (task: Task, signal: AbortSignal) => Promise<TaskOutcome>
}

/** A task that runs under its lease. */
export interface RunningTask {
  task: Task
  /** Resolves when its outcome is recorded. Never rejects. */
  end: Promise<void>
  /** Aborts the run's signal, then releases the task. */
  stop(): void
}

type Aborted = 'timeout' | 'lost' | 'stopped'

/** Runs a task under a lease that is renewed while it runs, and records its outcome. */
export function startTask(
  options: WorkOptions,
  runner: TaskRunner,
  claimed: ClaimedTask,
): RunningTask {
  const { task } = claimed
  const controller = new AbortController()
  let abortedBy: Aborted | undefined
  const abort = (why: Aborted, message: string): void => {
    if (abortedBy !== undefined) return
    abortedBy = why
    controller.abort(new Error(message))
  }
  const endLease = keepLease(options, claimed, () =>
    abort('lost', 'the lease of the task was lost'),
  )
  const cancelTimeout = options.clock.setTimer(
    () => abort('timeout', `${task.handler} took longer than ${runner.timeoutMs} ms`),
    runner.timeoutMs,
    { isBackground: true },
  )
  const run = async (): Promise<void> => {
    const { handler, reportId, idempotencyKey, attempt } = task
    const { outcome } = await runInside(
      options.instrumentation.handler,
      () => ({ payments: options.name, handler, reportId, idempotencyKey, attempt }),
      () => runOnce(options, { runner, task, signal: controller.signal, why: () => abortedBy }),
    )
    cancelTimeout()
    endLease()
    if (abortedBy === 'lost') {
      options.logger.warn('task lease lost; the handler runs again elsewhere', factsOf(task))
    } else {
      await finish(options, task, outcome)
    }
  }
  return { task, end: run(), stop: () => abort('stopped', 'Payments was closed') }
}

/** Releases a task that was claimed and not begun. Never rejects. */
export async function releaseTask(options: WorkOptions, task: Task): Promise<void> {
  await finish(options, task, { kind: 'retry', retryInMs: 0, error: 'the process was stopped' })
}

interface Run {
  runner: TaskRunner
  task: Task
  signal: AbortSignal
  why: () => Aborted | undefined
}

async function runOnce(options: WorkOptions, run: Run): Promise<HandlerRunEnd> {
  const { runner, task, signal } = run
  const { attempt } = task
  const { retry } = runner
  try {
    rejectPoisoned(runner, task)
    signal.throwIfAborted()
    return { outcome: await raceAbort(options, run) }
  } catch (thrown) {
    const error = describeThrown(thrown)
    if (run.why() === 'stopped') {
      const fields = { ...factsOf(task), runsAgain: options.inbox.isDurable }
      options.logger.warn('handler stopped with its process', fields)
      return { outcome: { kind: 'retry', retryInMs: 0, error }, thrown }
    }
    if (attempt >= retry.maxAttempts) {
      options.logger.error('handler failed for the last time', {
        ...factsOf(task),
        attempt,
        error: errorFacts(thrown),
      })
      return { outcome: { kind: 'dead', error }, thrown }
    }
    const retryInMs = backoffDelay(retry, attempt)
    if (!signal.aborted || run.why() === 'timeout') {
      options.logger.warn('handler failed and is retried', {
        ...factsOf(task),
        attempt,
        retryInMs,
        error: errorFacts(thrown),
      })
    }
    return { outcome: { kind: 'retry', retryInMs, error }, thrown }
  }
}

/**
 * Runs the task until it ends or its signal is aborted. A closing process gives the aborted run a moment to end, since
 * another server claims the task next.
 */
async function raceAbort({ clock }: WorkOptions, run: Run): Promise<TaskOutcome> {
  const { runner, task, signal } = run
  const work = runner.run(task, signal)
  try {
    return await untilAborted(work, signal)
  } catch (reason) {
    if (run.why() !== 'stopped') throw reason
    const grace = { clock, deadlineMs: ABORT_GRACE_MS }
    return withDeadline(
      grace,
      () => work,
      () => {
        throw reason
      },
    )
  }
}

/**
 * A run that ends its process is not recorded, and the next server claims the task. A handler that ends its process every
 * time would end all of them repeatedly. The spare attempts are for deploys and unrelated crashes.
 */
function rejectPoisoned({ retry: { maxAttempts } }: TaskRunner, { handler, attempt }: Task): void {
  if (attempt <= maxAttempts + SPARE_ATTEMPTS) return
  throw new Error(`${handler} was started ${attempt - 1} times and never ended; check for crashes`)
}

async function finish(
  { inbox, logger }: WorkOptions,
  task: Task,
  outcome: TaskOutcome,
): Promise<void> {
  try {
    const isHeld = await inbox.finishTask(task, outcome)
    if (!isHeld) logger.warn('handler outlived its lease and may run again', factsOf(task))
  } catch (error) {
    logger.error('handler outcome not recorded; it runs again when its lease expires', {
      ...factsOf(task),
      error: errorFacts(error),
    })
  }
}
