import type { Task } from '../inbox/inbox.js'
import type { QueuedTask, TaskQueue, TaskRetry } from '../inbox/task-queue.js'
import { errorFacts } from '../shared/error-facts.js'
import { createInboxPoller, type InboxPoller, type WorkOptions } from './inbox-poller.js'
import type { Poller } from './poller.js'

/** Longer than an engine takes to accept a batch. */
const LEASE_MS = 30_000
const RETRY_MS = 5000
const BATCH = 100

/** Options of {@link createRelayPoller}. */
export interface RelayPollerOptions extends WorkOptions {
  queue: TaskQueue
  retry: TaskRetry
  watch: Pick<Poller, 'wake'>
}

/** A poller that hands tasks over. */
export interface RelayPoller extends InboxPoller {
  /** Returns true while the engine has rejected the last tasks of this process. */
  isRefused(): boolean
}

/**
 * Hands due tasks to the queue engine and marks them as relayed. After a crash in between they are handed over again, and
 * the engine keeps one job per idempotency key.
 */
export function createRelayPoller(options: RelayPollerOptions): RelayPoller {
  let isRefused = false
  const claim = async (): Promise<number> => {
    const { tasks, accepted } = await relay(options)
    if (tasks > 0) isRefused = accepted < tasks
    return accepted
  }
  const poller = createInboxPoller(options, claim, options.watch)
  return { ...poller, isRefused: () => isRefused }
}

/** @returns how many tasks were due, and how many of them the engine has accepted. */
async function relay(options: RelayPollerOptions): Promise<{ tasks: number; accepted: number }> {
  const { name, inbox, queue, retry } = options
  const tasks = await inbox.claimRelay({ name, leaseMs: LEASE_MS, limit: BATCH })
  const fresh = tasks.filter(({ relayedAtMs }) => relayedAtMs === undefined)
  const queued = fresh.map((task) => toQueued(name, task))
  const isAdded = fresh.length === 0 || (await isAccepted(options, fresh, queue.add(queued, retry)))
  if (isAdded) {
    await Promise.all(fresh.map((task) => inbox.finishTask(task, { kind: 'relayed' })))
  }
  let accepted = isAdded ? fresh.length : 0
  for (const task of tasks.filter((one) => !fresh.includes(one))) {
    if (await relayAgain(options, task)) accepted++
  }
  return { tasks: tasks.length, accepted }
}

/** Hands over a task that an operator retries. @returns false when the engine has rejected it. */
async function relayAgain(options: RelayPollerOptions, task: Task): Promise<boolean> {
  const { name, inbox, queue, retry } = options
  const queued = toQueued(name, task)
  let kind: 'relayed' | 'done' = 'relayed'
  const adding = async (): Promise<void> => {
    if (queue.addAgain === undefined) return queue.add([queued], retry)
    if ((await queue.addAgain(queued, retry)) === 'done') kind = 'done'
  }
  if (!(await isAccepted(options, [task], adding()))) return false
  await inbox.finishTask(task, { kind })
  return true
}

/** Waits until the engine has accepted tasks. Those that it rejects are tried again. @returns false when it rejects them. */
async function isAccepted(
  { inbox, queue, logger }: RelayPollerOptions,
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
    await Promise.all(tasks.map((task) => inbox.finishTask(task, outcome)))
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
