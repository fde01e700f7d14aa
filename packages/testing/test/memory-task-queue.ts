import type { Clock, QueuedTask, TaskQueue, TaskWorker } from '@tonplug/core'

/** A job of {@link createMemoryEngine}. */
interface Job {
  task: QueuedTask
  retry: TaskWorker['retry']
  state: 'waiting' | 'running' | 'finished' | 'dead'
  attempts: number
  dueMs: number
}

/** A queue engine whose processes share a memory. For the tests of the conformance suite only. */
export interface MemoryEngine {
  jobs: Map<string, Job>
  /** Opens the queue for one more process. */
  open: () => TaskQueue
  /** Returns the key of a job. */
  keyOf: (task: QueuedTask) => string
}

/** Creates a queue engine in memory. `keyOf` may be replaced. */
export function createMemoryEngine(clock: Clock): MemoryEngine {
  const wakeUps = new Set<() => void>()
  const wake = (): void => wakeUps.forEach((look) => look())
  const engine: MemoryEngine = { jobs: new Map(), open, keyOf: (task) => task.idempotencyKey }
  return engine

  function open(): TaskQueue {
    return {
      name: 'memory',
      add: async (tasks, retry) => {
        for (const task of tasks) {
          const key = engine.keyOf(task)
          if (engine.jobs.has(key)) continue
          const state = { state: 'waiting', attempts: 0, dueMs: clock.nowMs() } as const
          engine.jobs.set(key, { task: structuredClone(task), retry, ...state })
        }
        wake()
      },
      work: async (worker) => work(worker),
    }
  }

  function work(worker: TaskWorker): { stop: () => Promise<void> } {
    const running = new Map<Job, Promise<void>>()
    const look = (): void => {
      for (const handler of worker.handlers) lookFor(handler)
    }
    const lookFor = (handler: string): void => {
      for (const job of engine.jobs.values()) {
        const busy = [...running.keys()].filter((one) => one.task.handler === handler).length
        if (busy >= worker.concurrency) return
        const isOwn = job.task.name === worker.name && job.task.handler === handler
        if (isOwn && job.state === 'waiting' && job.dueMs <= clock.nowMs()) begin(job)
      }
    }
    const begin = (job: Job): void => {
      job.state = 'running'
      job.attempts++
      const run = runJob(worker, job).finally(() => {
        running.delete(job)
        look()
      })
      running.set(job, run)
    }
    wakeUps.add(look)
    look()
    return {
      stop: async () => {
        wakeUps.delete(look)
        await Promise.all(running.values())
      },
    }
  }

  async function runJob(worker: TaskWorker, job: Job): Promise<void> {
    const { attempts, retry } = job
    try {
      await worker.run(structuredClone(job.task), { attempt: attempts })
      job.state = 'finished'
    } catch {
      job.state = attempts < retry.maxAttempts ? 'waiting' : 'dead'
      const delayMs = Math.min(retry.minDelayMs * 2 ** (attempts - 1), retry.maxDelayMs)
      job.dueMs = clock.nowMs() + delayMs
      clock.setTimer(wake, delayMs)
    }
  }
}
