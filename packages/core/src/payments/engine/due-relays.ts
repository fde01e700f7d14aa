import type { Task } from '../inbox/inbox-tasks.js'
import type { QueuedTask, TaskQueue, TaskRetry } from '../inbox/task-queue.js'
import { errorFacts } from '../../shared/error-facts.js'
import { startWork, type StartedWork, type WorkKind, type WorkOptions } from './due-work.js'

/** Longer than an engine takes to accept a batch. */
const LEASE_MS = 30_000
const RETRY_MS = 5000
const BATCH = 100

/** Options of {@link createDueRelays}. */
export interface DueRelaysOptions extends WorkOptions {
  queue: TaskQueue
  retry: TaskRetry
}

/** Tasks that a queue engine runs. */
export interface DueRelays extends WorkKind {
  /** Returns true while the engine has rejected the last tasks of this process. */
  isRefused(): boolean
}

/**
 * Hands due tasks to the queue engine, one batch at a time, and marks them as relayed. After a crash in between they are
 * handed over again, and the engine keeps one job per idempotency key.
 */
export function createDueRelays(options: DueRelaysOptions): DueRelays {
  const { name, inbox, logger } = options
  const running = new Set<StartedWork>()
  let isRefused = false
  const relayLogged = async (tasks: readonly Task[]): Promise<void> => {
    try {
      isRefused = (await relay(options, tasks)) < tasks.length
    } catch (error) {
      logger.warn('inbox not reachable; handing tasks over again', { error: errorFacts(error) })
    }
  }
  return {
    running,
    isRefused: () => isRefused,
    async claim() {
      if (running.size > 0) return []
      const tasks = await inbox.tasks.claimRelay({ name, leaseMs: LEASE_MS, limit: BATCH })
      return tasks.length === 0 ? [] : [startWork(running, { end: relayLogged(tasks) })]
    },
  }
}

/** @returns how many of these tasks the engine has accepted. */
async function relay(options: DueRelaysOptions, tasks: readonly Task[]): Promise<number> {
  const { name, inbox, queue, retry } = options
  const fresh = tasks.filter(({ relayedAtMs }) => relayedAtMs === undefined)
  const queued = fresh.map((task) => toQueued(name, task))
  const isAdded = fresh.length === 0 || (await isAccepted(options, fresh, queue.add(queued, retry)))
  if (isAdded) {
    await Promise.all(fresh.map((task) => inbox.tasks.finish(task, { kind: 'relayed' })))
  }
  let accepted = isAdded ? fresh.length : 0
  for (const task of tasks.filter((one) => !fresh.includes(one))) {
    if (await relayAgain(options, task)) accepted++
  }
  return accepted
}

/** Hands over a task that an operator retries. @returns false when the engine has rejected it. */
async function relayAgain(options: DueRelaysOptions, task: Task): Promise<boolean> {
  const { name, inbox, queue, retry } = options
  const queued = toQueued(name, task)
  let kind: 'relayed' | 'done' = 'relayed'
  const adding = async (): Promise<void> => {
    if (queue.addAgain === undefined) return queue.add([queued], retry)
    if ((await queue.addAgain(queued, retry)) === 'done') kind = 'done'
  }
  if (!(await isAccepted(options, [task], adding()))) return false
  await inbox.tasks.finish(task, { kind })
  return true
}

/** Waits until the engine has accepted tasks. Those that it rejects are tried again. @returns false when it rejects them. */
async function isAccepted(
  { inbox, queue, logger }: DueRelaysOptions,
  tasks: readonly Task[],
  adding: Promise<void>,
): Promise<boolean> {
  try {
    await adding
    return true
  } catch (error) {
    const problem = { queue: queue.name, tasks: tasks.length, error: errorFacts(error) }
    logger.error('tasks not handed to the queue; trying again', problem)
    const outcome = { kind: 'retry', retryInMs: RETRY_MS, error: 'queue not reachable' } as const
    await Promise.all(tasks.map((task) => inbox.tasks.finish(task, outcome)))
    return false
  }
}

/** Returns a task of the inbox as an engine stores it. */
export function toQueued(
  name: string,
  task: Pick<Task, Exclude<keyof QueuedTask, 'name'>>,
): QueuedTask {
  const { merchant, handler, reference, txHash, reportId, idempotencyKey } = task
  return { name, merchant, handler, reference, txHash, reportId, idempotencyKey }
}
