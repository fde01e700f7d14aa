import type { Clock } from '../runtime/clock.js'
import type { Logger } from '../runtime/logger.js'
import type { Delivery, HandlerOutcome, HandlerTask, Inbox } from './inbox.js'

const POLL_MS = 5000
const DELIVERY_LEASE_MS = 30_000
const HANDLER_LEASE_MS = 60_000
const MAX_RUNNING_HANDLERS = 16
const DELIVERIES_PER_CLAIM = 50

/** What the worker works with. */
export interface WorkerOptions {
  inbox: Inbox
  clock: Clock
  logger: Logger
  /** The names of the handlers that this process can run. */
  handlers: () => readonly string[]
  handlerRetry: { maxAttempts: number; minDelayMs: number; maxDelayMs: number }
  /** Decides a delivery that is parked, or whose decision is missing. */
  redeliver: (delivery: Delivery) => Promise<void>
  /** Runs one handler once. */
  runTask: (task: HandlerTask) => Promise<void>
}

/** Looks after what the inbox holds: undecided and parked deliveries, and handlers that have to run. */
export interface Worker {
  /** Begins to look after the inbox. */
  start(): void
  /** There is something to do; a turn begins at once, or follows the running one. */
  wake(): void
  /** Decides all deliveries that are due now. */
  sweep(): Promise<void>
  /** Begins no new turn; waits `timeoutMs` for handlers, then gives what still runs back to the inbox. */
  stop(timeoutMs: number): Promise<void>
}

export function createWorker(options: WorkerOptions): Worker {
  const { inbox, clock, logger } = options
  const running = new Map<HandlerTask, Promise<void>>()
  let turn: Promise<void> | undefined
  let isWoken = false
  let isStopped = true
  let cancelTimer = (): void => undefined

  const startHandlers = async (): Promise<void> => {
    const limit = MAX_RUNNING_HANDLERS - running.size
    if (limit === 0) return
    const handlers = options.handlers()
    const nowMs = clock.nowMs()
    const leaseUntilMs = nowMs + HANDLER_LEASE_MS
    for (const task of await inbox.claimTasks({ handlers, nowMs, leaseUntilMs, limit })) {
      const run = runLeased(options, task).finally(() => {
        running.delete(task)
        wake()
      })
      running.set(task, run)
    }
  }
  /** @returns how long to sleep, unless woken. */
  const takeTurn = async (): Promise<number> => {
    try {
      do {
        isWoken = false
        await sweep()
        await startHandlers()
      } while (isWoken && !isStopped)
      // The end of a handler wakes the worker; until then nothing more could be started.
      if (running.size === MAX_RUNNING_HANDLERS) return POLL_MS
      const nextDueMs = (await inbox.nextDueMs({ handlers: options.handlers() })) ?? Infinity
      return Math.min(POLL_MS, Math.max(0, nextDueMs - clock.nowMs()))
    } catch (error) {
      logger.warn('the inbox cannot be reached; looking again soon', { error })
      return POLL_MS
    }
  }
  const wake = (): void => {
    isWoken = true
    if (turn !== undefined || isStopped) return
    cancelTimer()
    turn = takeTurn().then((delayMs) => {
      turn = undefined
      if (!isStopped) cancelTimer = clock.setTimer(wake, isWoken ? 0 : delayMs)
    })
  }
  const sweep = async (): Promise<void> => {
    let claimed: Delivery[]
    do {
      const nowMs = clock.nowMs()
      const retryAtMs = nowMs + DELIVERY_LEASE_MS
      claimed = await inbox.claimDeliveries({ nowMs, retryAtMs, limit: DELIVERIES_PER_CLAIM })
      await Promise.all(claimed.map((delivery) => redeliverLogged(options, delivery)))
    } while (claimed.length === DELIVERIES_PER_CLAIM)
  }

  /** Waits for what runs. A durable inbox keeps what is due for the next process; another runs it now. */
  const drain = async (): Promise<void> => {
    await turn
    do {
      await Promise.all(running.values())
      if (!inbox.isDurable) await startHandlers()
    } while (running.size > 0)
  }

  return {
    start() {
      isStopped = false
      cancelTimer = clock.setTimer(wake, 0)
    },
    wake,
    sweep,
    async stop(timeoutMs) {
      isStopped = true
      cancelTimer()
      await withTimeout(clock, timeoutMs, drain())
      await Promise.all([...running.keys()].map((task) => releaseTask(options, task)))
    },
  }
}

async function redeliverLogged(options: WorkerOptions, delivery: Delivery): Promise<void> {
  try {
    await options.redeliver(delivery)
  } catch (error) {
    const { id, reference } = delivery
    options.logger.error('a delivery could not be decided; it is tried again', {
      id,
      reference,
      error,
    })
  }
}

/** Runs a handler under a lease that is renewed while it runs. Never rejects. */
async function runLeased(options: WorkerOptions, task: HandlerTask): Promise<void> {
  const { inbox, clock, logger } = options
  const { handler, idempotencyKey, attempt } = task
  const stopRenewing = renewLease(options, task)
  const outcome = await runOnce(options, task)
  stopRenewing()
  if (outcome.kind === 'dead') {
    logger.error('a handler used up its attempts and is a dead letter', {
      handler,
      idempotencyKey,
      attempt,
    })
  }
  try {
    const isHeld = await inbox.finishTask(task, outcome)
    if (!isHeld)
      logger.warn('a handler outlived its lease and may run again', { handler, idempotencyKey })
  } catch (error) {
    logger.error('the end of a handler could not be recorded; it runs again when its lease ends', {
      handler,
      idempotencyKey,
      nowMs: clock.nowMs(),
      error,
    })
  }
}

async function runOnce(options: WorkerOptions, task: HandlerTask): Promise<HandlerOutcome> {
  const { handler, idempotencyKey, attempt } = task
  const { maxAttempts, minDelayMs, maxDelayMs } = options.handlerRetry
  try {
    await options.runTask(task)
    return { kind: 'done' }
  } catch (cause) {
    const error = cause instanceof Error ? cause.message : String(cause)
    if (attempt >= maxAttempts) return { kind: 'dead', error }
    const delayMs = Math.min(minDelayMs * 2 ** (attempt - 1), maxDelayMs)
    options.logger.warn('a handler failed and is tried again', {
      handler,
      idempotencyKey,
      attempt,
      delayMs,
      error: cause,
    })
    return { kind: 'retry', retryAtMs: options.clock.nowMs() + delayMs, error }
  }
}

/** A handler that outlives the drain is for another process to run again. */
async function releaseTask(
  { inbox, clock, logger }: WorkerOptions,
  task: HandlerTask,
): Promise<void> {
  const { handler, idempotencyKey } = task
  logger.warn('a handler was still running at the end of the drain; it runs again', {
    handler,
    idempotencyKey,
  })
  try {
    const error = 'the process was stopped while the handler ran'
    await inbox.finishTask(task, { kind: 'retry', retryAtMs: clock.nowMs(), error })
  } catch (error) {
    logger.warn('a lease could not be given back; it ends by itself', {
      handler,
      idempotencyKey,
      error,
    })
  }
}

function renewLease({ inbox, clock, logger }: WorkerOptions, task: HandlerTask): () => void {
  let cancel: () => void
  const renew = (): void => {
    inbox.extendLease(task, clock.nowMs() + HANDLER_LEASE_MS).catch((error: unknown) => {
      const { handler, idempotencyKey } = task
      logger.warn('the lease of a handler could not be renewed', { handler, idempotencyKey, error })
    })
    cancel = clock.setTimer(renew, HANDLER_LEASE_MS / 2)
  }
  cancel = clock.setTimer(renew, HANDLER_LEASE_MS / 2)
  return () => cancel()
}

async function withTimeout(clock: Clock, timeoutMs: number, work: Promise<unknown>): Promise<void> {
  let cancel = (): void => undefined
  const timeout = new Promise<void>((resolve) => {
    cancel = clock.setTimer(resolve, timeoutMs)
  })
  await Promise.race([work, timeout])
  cancel()
}
