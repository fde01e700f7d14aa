import { errorFacts } from '../shared/error-facts.js'
import { createInboxPoller, type WorkOptions } from './inbox-poller.js'
import type { Poller } from './poller.js'
import { releaseTask, startTask, type RunningTask, type TaskRunner } from './run-task.js'
import { LEASE_MS, type ClaimedTask } from './task-lease.js'

/** A handler that this process can run, and how often concurrently. */
export interface TaskLane {
  handler: string
  concurrency: number
  runner: TaskRunner
}

/** Options of {@link createTaskPoller}. */
export interface TaskPollerOptions extends WorkOptions {
  /** Returns the handlers that this process runs now. */
  lanes: () => readonly TaskLane[]
  watch: Pick<Poller, 'wake'>
}

/** Runs due tasks, each handler within its own concurrency, so that one that hangs never delays others. */
export function createTaskPoller(options: TaskPollerOptions) {
  const { inbox, logger } = options
  const running = new Set<RunningTask>()
  let mayStart = true

  const start = ({ runner }: TaskLane, claimed: ClaimedTask): boolean => {
    // The process may have been stopped during the claim.
    if (!mayStart) return false
    const started = startTask(options, runner, claimed)
    running.add(started)
    void started.end.then(() => {
      running.delete(started)
      poller.wake()
    })
    return true
  }
  const claim = (): Promise<number> => claimTasks(options, running, start)
  const poller = createInboxPoller(options, claim, options.watch)

  return {
    ...poller,
    /** Returns the handlers with free places. The end of a task wakes this poller. */
    freeHandlers: (): string[] => freeLanes(options, running).map(({ handler }) => handler),
    /**
     * Starts no new turn; resolves when no task is running. An inbox that is not durable has no due task then, unless it
     * fails.
     */
    async stop(): Promise<void> {
      if (inbox.isDurable) mayStart = false
      await poller.stop()
      do {
        await endOf(running)
        try {
          if (!inbox.isDurable && mayStart) await claimTasks(options, running, start)
        } catch (error) {
          logger.warn('inbox not reachable; its due handlers do not run', {
            error: errorFacts(error),
          })
        }
      } while (running.size > 0)
    },
    /** Aborts running tasks, then releases them; resolves when their outcomes are recorded. */
    async abort(): Promise<void> {
      mayStart = false
      for (const task of running) task.stop()
      await Promise.all([poller.stop(), endOf(running)])
    },
  }
}

type Running = ReadonlySet<RunningTask>

function endOf(running: Running): Promise<unknown> {
  return Promise.all([...running].map(({ end }) => end))
}

function freePlaces(running: Running, { handler, concurrency }: TaskLane): number {
  return concurrency - [...running].filter(({ task }) => task.handler === handler).length
}

function freeLanes({ lanes }: TaskPollerOptions, running: Running): TaskLane[] {
  return lanes().filter((lane) => freePlaces(running, lane) > 0)
}

/** Claims due tasks, and releases those that `start` does not accept. @returns how many were claimed. */
async function claimTasks(
  options: TaskPollerOptions,
  running: Running,
  start: (lane: TaskLane, claimed: ClaimedTask) => boolean,
): Promise<number> {
  const { name, inbox, clock } = options
  const free = freeLanes(options, running)
  if (free.length === 0) return 0
  const limits = Object.fromEntries(free.map((lane) => [lane.handler, freePlaces(running, lane)]))
  const claimedAtMs = clock.nowMs()
  const claimed = await inbox.claimTasks({ name, limits, leaseMs: LEASE_MS })
  for (const task of claimed) {
    const lane = free.find(({ handler }) => handler === task.handler)
    const isStarted = lane !== undefined && start(lane, { task, claimedAtMs })
    if (!isStarted) await releaseTask(options, task)
  }
  return claimed.length
}
