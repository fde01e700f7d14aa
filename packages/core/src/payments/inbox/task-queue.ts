/** A handler task as a queue engine stores it: plain data that survives JSON. */
export interface QueuedTask {
  /** The name of the Payments. */
  name: string
  merchant: string
  /** The handler's registered name, for example `onPaid.ship`. */
  handler: string
  reference: string
  txHash: string
  reportId: string
  /** Identifies the job: an engine keeps one job per key. */
  idempotencyKey: string
}

/** Attempts and backoff of a failing handler. */
export interface TaskRetry {
  /** Runs in all; after the last one the task is a dead letter. */
  maxAttempts: number
  /** Delay after the first failure; doubled after each one. */
  minDelayMs: number
  maxDelayMs: number
}

/** The handlers that a process can run. */
export interface TaskWorker {
  /** The name of the Payments. */
  name: string
  /** The handlers of this process. Jobs of other handlers are left to other processes. */
  handlers: readonly string[]
  /** Concurrent runs of each handler in this process. */
  concurrency: number
  retry: TaskRetry
  /**
   * Runs a handler once; rejects when it failed. The engine retries it, and stores it as a dead letter in the end. `signal`
   * is the engine's own, if it has one.
   */
  run: (
    task: QueuedTask,
    context: { attempt: number; signal?: AbortSignal | undefined },
  ) => Promise<void>
  /** Called for errors of the engine's connection; logged at most once a minute. */
  onError: (error: unknown) => void
}

/**
 * Runs handler tasks in a queue engine, which owns attempts, backoff, concurrency, dead letters and dashboards. The inbox
 * hands each task over and does not run it.
 */
export interface TaskQueue {
  /** Shown in logs. */
  readonly name: string
  /**
   * Adds a job for each task unless the engine has one with its idempotency key, also a finished one. Resolves when all are
   * stored; may be called again with the same tasks.
   */
  add(tasks: readonly QueuedTask[], retry: TaskRetry): Promise<void>
  /**
   * Adds a task that was handed over before: an operator retries it. Adds the job if the engine has lost it, and runs it again
   * if it has failed for the last time. A waiting or running job stays as it is, and a finished one never runs again.
   * @returns `done` for a finished job. @default `add`
   */
  addAgain?(task: QueuedTask, retry: TaskRetry): Promise<'added' | 'done'>
  /**
   * Checks that the engine can run the tasks, for `payments.health()`.
   * @param query.tasks the oldest tasks that were handed over and have neither finished nor failed
   * @param query.handlers the handlers of this process
   * @returns the problem, for an operator and without secrets; `undefined` without one.
   */
  check?(query: {
    name: string
    handlers: readonly string[]
    tasks: readonly QueuedTask[]
  }): Promise<string | undefined>
  /** Runs jobs until `stop` is called; `stop` resolves when no run of this process is left. */
  work(worker: TaskWorker): Promise<{ stop(): Promise<void> }>
}
