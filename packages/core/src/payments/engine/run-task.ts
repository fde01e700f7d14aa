import type { Task, TaskOutcome } from '../inbox/inbox-tasks.js'
import type { TaskRetry } from '../inbox/task-queue.js'
import { untilAborted } from '../../shared/abort.js'
import type { Logger } from '../../shared/logger.js'
import { backoffDelay, withDeadline } from '../../shared/timers.js'
import { runInside } from '../../shared/instrumentation.js'
import type { Clock } from '../../shared/clock.js'
import { describeThrown, errorFacts } from '../../shared/error-facts.js'
import type { HandlerRunEnd, PaymentsInstrumentation } from './instrumentation.js'

/** Time for an aborted run to end when its process closes. */
const ABORT_GRACE_MS = 1000

/** The facts of a task that a run needs. */
export type RunnableTask = Pick<
  Task,
  'handler' | 'merchant' | 'reference' | 'reportId' | 'idempotencyKey' | 'attempt'
>

/** Runs one kind of task. */
export interface TaskRunner {
  retry: TaskRetry
  timeoutMs: number
  /** Runs a task once, and returns its outcome. After a throw it is retried. */
  run: (task: RunnableTask, signal: AbortSignal) => Promise<TaskOutcome>
}

/** The time, and the reporting of runs. */
export interface RunTaskOptions {
  name: string
  clock: Clock
  logger: Logger
  instrumentation: PaymentsInstrumentation
  /** True when a task that is stopped with its process runs again elsewhere. */
  runsAgain: boolean
}

/** Why a run ends before its handler does. */
type Interruption = 'timeout' | 'lost' | 'stopped'

/** A run of a task. */
export interface TaskRun {
  /** The outcome to record. Never rejects. */
  end: Promise<HandlerRunEnd>
  /** Aborts the signal of the run. */
  interrupt(why: Interruption, message: string): void
  /** Why the run was interrupted first. */
  interruption(): Interruption | undefined
}

/** Runs a task once, within its time limit. Its owner, the inbox or a queue engine, records the outcome. */
export function runTask(options: RunTaskOptions, runner: TaskRunner, task: RunnableTask): TaskRun {
  const controller = new AbortController()
  let interruption: Interruption | undefined
  const interrupt = (why: Interruption, message: string): void => {
    if (interruption !== undefined) return
    interruption = why
    controller.abort(new Error(message))
  }
  const cancelTimeout = options.clock.setTimer(
    () => interrupt('timeout', `${task.handler} took longer than ${runner.timeoutMs} ms`),
    runner.timeoutMs,
    { isBackground: true },
  )
  const { name: payments } = options
  const { handler, reportId, idempotencyKey, attempt } = task
  const run = { runner, task, signal: controller.signal, why: () => interruption }
  const end = runInside(
    options.instrumentation.handler,
    () => ({ payments, handler, reportId, idempotencyKey, attempt }),
    () => runOnce(options, run).finally(cancelTimeout),
  )
  return { end, interrupt, interruption: () => interruption }
}

interface Run {
  runner: TaskRunner
  task: RunnableTask
  signal: AbortSignal
  why: () => Interruption | undefined
}

async function runOnce(options: RunTaskOptions, run: Run): Promise<HandlerRunEnd> {
  const { runner, task, signal } = run
  const { attempt } = task
  const { retry } = runner
  const facts = factsOf(task)
  try {
    return { outcome: await raceAbort(options, run) }
  } catch (thrown) {
    const error = describeThrown(thrown)
    if (run.why() === 'stopped') {
      const { runsAgain } = options
      options.logger.warn('handler stopped with its process', { ...facts, runsAgain })
      return { outcome: { kind: 'retry', retryInMs: 0, error }, thrown }
    }
    const problem = { ...facts, attempt, error: errorFacts(thrown) }
    if (attempt >= retry.maxAttempts) {
      options.logger.error('handler failed for the last time', problem)
      return { outcome: { kind: 'dead', error }, thrown }
    }
    const retryInMs = backoffDelay(retry, attempt)
    if (!signal.aborted || run.why() === 'timeout') {
      options.logger.warn('handler failed and is retried', { ...problem, retryInMs })
    }
    return { outcome: { kind: 'retry', retryInMs, error }, thrown }
  }
}

/**
 * Runs the task until it ends or its signal is aborted. A closing process gives the aborted run a moment to end, since
 * another server claims the task next.
 */
async function raceAbort({ clock }: RunTaskOptions, run: Run): Promise<TaskOutcome> {
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

/** Returns the loggable facts of a task. */
export function factsOf({ handler, reference, merchant, idempotencyKey }: RunnableTask) {
  return { handler, reference, ...(merchant !== '' && { merchant }), idempotencyKey }
}
