import type { Task, TaskOutcome } from '../inbox/inbox-tasks.js'
import { errorFacts } from '../../shared/error-facts.js'
import type { StartedWork, WorkOptions } from './due-work.js'
import { factsOf, runTask, type TaskRunner } from './run-task.js'
import { keepLease, type ClaimedTask } from './task-lease.js'

/** Runs of a task that may end with their process, and so without a record. */
const SPARE_ATTEMPTS = 20

/** A task of the inbox that runs under its lease. */
export interface LeasedTask extends StartedWork {
  task: Task
  /** Aborts the run's signal, then releases the task. */
  stop(): void
}

/** Runs a task under a lease that is renewed while it runs, and records its outcome. */
export function startLeasedTask(
  options: WorkOptions,
  runner: TaskRunner,
  claimed: ClaimedTask,
): LeasedTask {
  const { task } = claimed
  const runsAgain = options.inbox.isDurable
  const run = runTask({ ...options, runsAgain }, rejectingPoisoned(runner), task)
  const endLease = keepLease(options, claimed, () =>
    run.interrupt('lost', 'the lease of the task was lost'),
  )
  const end = async (): Promise<void> => {
    const { outcome } = await run.end
    endLease()
    if (run.interruption() === 'lost') {
      options.logger.warn('task lease lost; the handler runs again elsewhere', factsOf(task))
    } else {
      await finish(options, task, outcome)
    }
  }
  return { task, end: end(), stop: () => run.interrupt('stopped', 'Payments was closed') }
}

/** Releases a task that was claimed and not begun. Never rejects. */
export async function releaseTask(options: WorkOptions, task: Task): Promise<void> {
  await finish(options, task, { kind: 'retry', retryInMs: 0, error: 'the process was stopped' })
}

/**
 * A run that ends its process is not recorded, and the next server claims the task. A handler that ends its process every
 * time would end all of them repeatedly. The spare attempts are for deploys and unrelated crashes.
 */
function rejectingPoisoned(runner: TaskRunner): TaskRunner {
  const mostAttempts = runner.retry.maxAttempts + SPARE_ATTEMPTS
  return {
    ...runner,
    async run(task, signal) {
      const { handler, attempt } = task
      if (attempt <= mostAttempts) return runner.run(task, signal)
      throw new Error(
        `${handler} was started ${attempt - 1} times and never ended; check for crashes`,
      )
    },
  }
}

async function finish(
  { inbox, logger }: WorkOptions,
  task: Task,
  outcome: TaskOutcome,
): Promise<void> {
  try {
    const isHeld = await inbox.tasks.finish(task, outcome)
    if (!isHeld) logger.warn('handler outlived its lease and may run again', factsOf(task))
  } catch (error) {
    logger.error('handler outcome not recorded; it runs again when its lease expires', {
      ...factsOf(task),
      error: errorFacts(error),
    })
  }
}
