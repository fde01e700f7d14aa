import { errorFacts } from '../../shared/error-facts.js'
import { endOf, startWork, type WorkKind, type WorkOptions } from './due-work.js'
import { releaseTask, startLeasedTask, type LeasedTask } from './leased-task.js'
import type { TaskRunner } from './run-task.js'
import { LEASE_MS } from './task-lease.js'

/** A handler that this process can run, and how often concurrently. */
export interface TaskLane {
  handler: string
  concurrency: number
  runner: TaskRunner
}

/** Options of {@link createDueTasks}. */
export interface DueTasksOptions extends WorkOptions {
  /** Returns the handlers that this process runs now. */
  lanes: () => readonly TaskLane[]
}

/** Tasks whose handlers this process runs. */
export interface DueTasks extends WorkKind {
  /** Returns the handlers with free places. */
  freeHandlers(): string[]
  /** Starts no further task: what is claimed is released. */
  close(): void
  /** Runs all due tasks of an inbox that is lost with the process; resolves when none is running. */
  drain(): Promise<void>
  /** Aborts running tasks, then releases them; resolves when their outcomes are recorded. */
  abort(): Promise<void>
}

/** Runs tasks when they are due, each handler within its own concurrency, so that one that hangs never delays others. */
export function createDueTasks(options: DueTasksOptions): DueTasks {
  const { name, inbox, clock, logger, lanes } = options
  const running = new Set<LeasedTask>()
  let isClosed = false

  const freePlaces = ({ handler, concurrency }: TaskLane): number =>
    concurrency - [...running].filter(({ task }) => task.handler === handler).length
  const freeLanes = (): TaskLane[] => lanes().filter((lane) => freePlaces(lane) > 0)

  const claim = async (): Promise<LeasedTask[]> => {
    const free = isClosed ? [] : freeLanes()
    if (free.length === 0) return []
    const limits = Object.fromEntries(free.map((lane) => [lane.handler, freePlaces(lane)]))
    const claimedAtMs = clock.nowMs()
    const claimed = await inbox.tasks.claim({ name, limits, leaseMs: LEASE_MS })
    const started: LeasedTask[] = []
    for (const task of claimed) {
      const lane = free.find(({ handler }) => handler === task.handler)
      // The process may have been closed during the claim.
      if (lane === undefined || isClosed) await releaseTask(options, task)
      else
        started.push(
          startWork(running, startLeasedTask(options, lane.runner, { task, claimedAtMs })),
        )
    }
    return started
  }

  return {
    running,
    claim,
    freeHandlers: () => freeLanes().map(({ handler }) => handler),
    close: () => void (isClosed = true),
    async drain() {
      do {
        await endOf(running)
        try {
          await claim()
        } catch (error) {
          logger.warn('inbox not reachable; its due handlers do not run', {
            error: errorFacts(error),
          })
        }
      } while (running.size > 0)
    },
    async abort() {
      isClosed = true
      for (const task of running) task.stop()
      await endOf(running)
    },
  }
}
