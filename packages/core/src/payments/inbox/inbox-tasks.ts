/** Handler name of the tasks that prove payments on the chain. */
export const PROOF_TASK = 'verifyOnChain'

/** A task to schedule: one row per `idempotencyKey`, ever. */
export interface NewTask {
  idempotencyKey: string
  /** The handler's registered name, for example `onPaid` or `onPaid.ship`; `verifyOnChain` for a proof. */
  handler: string
}

/** A claimed task: one scheduled handler run. */
export interface Task extends NewTask {
  id: string
  reportId: string
  merchant: string
  reference: string
  txHash: string
  /** 1 for the first run. */
  attempt: number
  /** Identifies this claim; a task whose lease was lost cannot be finished with it. */
  leaseId: string
  /** When a queue engine accepted it before, milliseconds since the Unix epoch; absent for one that was never handed over. */
  relayedAtMs?: number | undefined
}

/** A task that a queue engine has accepted, and neither finished nor failed. */
export interface RelayedTask extends Omit<Task, 'attempt' | 'leaseId' | 'relayedAtMs'> {
  /** When the engine accepted it, milliseconds since the Unix epoch. */
  relayedAtMs: number
}

/** Result of one run of a task. `relayed`: a queue engine has accepted it and owns it from now on. */
export type TaskOutcome =
  | { kind: 'done' }
  | { kind: 'relayed' }
  | { kind: 'retry'; retryInMs: number; error: string }
  | { kind: 'dead'; error: string }

/** Selects tasks or reports. An omitted field matches all. */
export interface DeadLetterFilter {
  name?: string | undefined
  merchant?: string | undefined
  /** The handler's registered name. */
  handler?: string | undefined
  reference?: string | undefined
}

/** A scheduled handler run or proof, and its runs. */
export interface TaskProgress {
  /** For {@link InboxTasks.replay}. */
  id: string
  /** The report that scheduled it. */
  reportId: string
  idempotencyKey: string
  /** Its registered name, for example `onPaid` or `onPaid.ship`. */
  handler: string
  /** `relayed`: a queue engine has accepted it. */
  state: 'open' | 'relayed' | 'done' | 'dead'
  /** Runs since it was scheduled, or since its last replay. */
  attempts: number
  /** The next run of an open one, or the end of the lease of a running one; milliseconds since the Unix epoch. */
  dueAtMs: number
  isRunning: boolean
  /** When a queue engine accepted it last, milliseconds since the Unix epoch. */
  relayedAtMs?: number | undefined
  /** The message of the last failed run, even when a later one succeeded. */
  error?: string | undefined
}

/** A task that has used all its attempts. */
export interface DeadLetter {
  id: string
  reportId: string
  merchant: string
  reference: string
  idempotencyKey: string
  handler: string
  attempts: number
  /** The last error's message. */
  error: string
}

/** Scheduled handler runs and proofs. */
export interface InboxTasks {
  /** Returns the tasks of these reports. */
  list(query: { reportIds: readonly string[] }): Promise<TaskProgress[]>
  /**
   * Claims tasks that are due or whose lease has expired, at most `limits[handler]` of each handler. A process claims only
   * handlers that it can run.
   */
  claim(query: {
    name: string
    limits: Readonly<Record<string, number>>
    leaseMs: number
  }): Promise<Task[]>
  /** Claims due tasks of any handler except `verifyOnChain`, to hand them to a queue engine. */
  claimRelay(query: { name: string; leaseMs: number; limit: number }): Promise<Task[]>
  /** @returns false when the lease was lost. */
  extendLease(task: Task, leaseMs: number): Promise<boolean>
  /** @returns false when the lease was lost. */
  finish(task: Task, outcome: TaskOutcome): Promise<boolean>
  /**
   * Records that a queue engine has finished a task, or has failed it for the last time. A task that is not marked as
   * relayed yet is recorded, too, and its lease ends. @returns false when the task is unknown or done.
   */
  finishRelayed(query: {
    name: string
    idempotencyKey: string
    outcome: { kind: 'done' } | { kind: 'dead'; error: string }
  }): Promise<boolean>
  /** Returns tasks that a queue engine has accepted, and neither finished nor failed; oldest first. */
  listRelayed(query: { name: string; limit: number }): Promise<RelayedTask[]>
  /** Returns tasks that have used all their attempts, oldest first. */
  listDead(query: { limit: number }): Promise<DeadLetter[]>
  /**
   * Resets a dead task; it runs at once. A relayed one is handed over again. @returns false when there is no such dead or
   * relayed task.
   */
  replay(taskId: string): Promise<boolean>
  /** Resets every dead task that matches. @returns how many. */
  replayWhere(filter: DeadLetterFilter): Promise<number>
}
