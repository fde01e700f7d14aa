import { errorFacts } from '../runtime/error-facts.js'
import type { Clock } from '../runtime/clock.js'
import type { Delivery, HandlerTask } from './inbox.js'
import { HANDLER_LEASE_MS, releaseTask, runLeased, type LeasedRunOptions } from './leased-run.js'

const POLL_MS = 5000
const DELIVERY_LEASE_MS = 30_000
const LONGEST_RETRY_MS = 3_600_000
const MAX_RUNNING_HANDLERS = 16
const DELIVERIES_PER_CLAIM = 50

/** What the worker works with. */
export interface WorkerOptions extends LeasedRunOptions {
  /** The name of the receiver whose deliveries and tasks these are. */
  name: string
  /** The names of the handlers that this process can run. */
  handlers: () => readonly string[]
  /** Decides a delivery that is parked, or whose decision is missing. */
  redeliver: (delivery: Delivery) => Promise<void>
}

/** Looks after what the inbox holds: undecided and parked deliveries, and handlers that have to run. */
export interface Worker {
  /** Begins to look after the inbox. */
  start(): void
  /** There is something to do; a turn begins at once, or follows the running one. Nothing happens unless started. */
  wake(): void
  /** Decides the deliveries of a reference that are due now. */
  sweepReference(reference: string): Promise<void>
  /** Begins no new turn; waits `timeoutMs` for handlers, then gives what still runs back to the inbox. */
  stop(timeoutMs: number): Promise<void>
}

export function createWorker(options: WorkerOptions): Worker {
  const { inbox, clock, logger, name: receiver } = options
  const running = new Map<HandlerTask, Promise<void>>()
  let turn: Promise<void> | undefined
  let isWoken = false
  // After `stop` the drain of an inbox that forgets still starts handlers, until its time is over.
  let state: 'idle' | 'started' | 'draining' | 'stopped' = 'idle'
  let cancelTimer = (): void => undefined

  const startHandlers = async (): Promise<void> => {
    const limit = MAX_RUNNING_HANDLERS - running.size
    if (limit === 0 || !canStartHandlers()) return
    const nowMs = clock.nowMs()
    const leaseUntilMs = nowMs + HANDLER_LEASE_MS
    const handlers = options.handlers()
    for (const task of await inbox.claimTasks({ receiver, handlers, nowMs, leaseUntilMs, limit })) {
      const run = runLeased(options, task).finally(() => {
        running.delete(task)
        wake()
      })
      running.set(task, run)
    }
  }
  const canStartHandlers = (): boolean =>
    state === 'started' || (state === 'draining' && !inbox.isDurable)
  /** @returns how long to sleep, unless woken. */
  const takeTurn = async (): Promise<number> => {
    try {
      do {
        isWoken = false
        await sweep(options)
        await startHandlers()
      } while (isWoken && state === 'started')
      // The end of a handler wakes the worker; until then nothing more could be started.
      if (running.size === MAX_RUNNING_HANDLERS) return POLL_MS
      const nextDueMs =
        (await inbox.nextDueMs({ receiver, handlers: options.handlers() })) ?? Infinity
      return Math.min(POLL_MS, Math.max(0, nextDueMs - clock.nowMs()))
    } catch (error) {
      logger.warn('the inbox cannot be reached; looking again soon', { error: errorFacts(error) })
      return POLL_MS
    }
  }
  const sleep = (delayMs: number): void => {
    cancelTimer = clock.setTimer(wake, delayMs, { isBackground: true })
  }
  const wake = (): void => {
    isWoken = true
    if (turn !== undefined || state !== 'started') return
    cancelTimer()
    turn = takeTurn().then((delayMs) => {
      turn = undefined
      if (state === 'started') sleep(isWoken ? 0 : delayMs)
    })
  }
  /** Waits for what runs. A durable inbox keeps what is due for the next process; another runs it now. */
  const drain = async (): Promise<void> => {
    await turn
    do {
      await Promise.all(running.values())
      await startHandlers()
    } while (running.size > 0)
  }

  return {
    start() {
      if (state !== 'idle') return
      state = 'started'
      sleep(0)
    },
    wake,
    sweepReference: (reference) => sweep(options, reference),
    async stop(timeoutMs) {
      cancelTimer()
      state = 'draining'
      await withTimeout(clock, timeoutMs, drain())
      state = 'stopped'
      await Promise.all([...running.keys()].map((task) => releaseTask(options, task)))
    },
  }
}

/** Decides the deliveries that are due now: all of the receiver, or those of one reference. */
async function sweep(options: WorkerOptions, reference?: string): Promise<void> {
  const { inbox, clock, name: receiver } = options
  let claimed: Delivery[]
  do {
    const nowMs = clock.nowMs()
    const retryAtMs = nowMs + DELIVERY_LEASE_MS
    const limit = DELIVERIES_PER_CLAIM
    claimed = await inbox.claimDeliveries({ receiver, reference, nowMs, retryAtMs, limit })
    await Promise.all(claimed.map((delivery) => redeliverLogged(options, delivery)))
  } while (claimed.length === DELIVERIES_PER_CLAIM)
}

/** What cannot be decided is looked at again, less and less often. */
async function redeliverLogged(options: WorkerOptions, delivery: Delivery): Promise<void> {
  const { id, reference, attempts } = delivery
  try {
    await options.redeliver(delivery)
  } catch (error) {
    const delayMs = Math.min(DELIVERY_LEASE_MS * 2 ** (attempts - 1), LONGEST_RETRY_MS)
    options.logger.error('a delivery could not be decided; it is tried again', {
      id,
      reference,
      attempts,
      delayMs,
      error: errorFacts(error),
    })
    await options.inbox.postpone(id, options.clock.nowMs() + delayMs)
  }
}

async function withTimeout(clock: Clock, timeoutMs: number, work: Promise<unknown>): Promise<void> {
  let cancel = (): void => undefined
  const timeout = new Promise<void>((resolve) => {
    cancel = clock.setTimer(resolve, timeoutMs)
  })
  await Promise.race([work, timeout])
  cancel()
}
