import type { Task } from '../inbox/inbox.js'
import type { QueuedTask, TaskQueue, TaskRetry } from '../inbox/task-queue.js'
import { errorFacts } from '../shared/error-facts.js'
import { createInboxPoller, type WorkOptions } from './inbox-poller.js'
import type { Poller } from './poller.js'

/** Longer than an engine takes to accept a batch. */
const LEASE_MS = 30_000
const RETRY_MS = 5000
const BATCH = 100

/** Options of {@link createRelayPoller}. */
export interface RelayPollerOptions extends WorkOptions {
  queue: TaskQueue
  retry: TaskRetry
}

/**
 * Hands due tasks to the queue engine and marks them as relayed. After a crash in between they are handed over again, and
 * the engine keeps one job per idempotency key.
 */
export function createRelayPoller(options: RelayPollerOptions): Poller {
  return createInboxPoller(options, { claim: () => relay(options), handlers: () => undefined })
}

/** @returns how many tasks the engine has accepted. */
async function relay(options: RelayPollerOptions): Promise<number> {
  const { name, inbox, queue, retry, logger } = options
  const tasks = await inbox.claimRelay({ name, leaseMs: LEASE_MS, limit: BATCH })
  if (tasks.length === 0) return 0
  try {
    const queued = tasks.map((task) => toQueued(name, task))
    await queue.add(queued, retry)
  } catch (error) {
    const problem = { queue: queue.name, tasks: tasks.length, error: errorFacts(error) }
    logger.error('tasks not handed to the queue; trying again', problem)
    const outcome = { kind: 'retry', retryInMs: RETRY_MS, error: 'queue not reachable' } as const
    await Promise.all(tasks.map((task) => inbox.finishTask(task, outcome)))
    return 0
  }
  await Promise.all(tasks.map((task) => inbox.finishTask(task, { kind: 'relayed' })))
  return tasks.length
}

function toQueued(name: string, task: Task): QueuedTask {
  const { merchant, handler, reference, txHash, reportId, idempotencyKey } = task
  return { name, merchant, handler, reference, txHash, reportId, idempotencyKey }
}
