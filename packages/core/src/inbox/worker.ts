import { createJobLink } from '../jobs/job-link.js'
import type { JobQueue } from '../jobs/job-queue.js'
import { runInside } from '../runtime/around.js'
import { errorFacts } from '../runtime/error-facts.js'
import type { Clock } from '../runtime/clock.js'
import type { Logger } from '../runtime/logger.js'
import type { ReceiverInstrumentation } from '../webhook/instrumentation.js'
import type { Delivery, HandlerTask, Inbox } from './inbox.js'
import {
  HANDLER_LEASE_MS,
  releaseTask,
  returnTask,
  runLeased,
  type LeasedRunOptions,
} from './leased-run.js'

/** One server at a time looks after everything that often. */
const SWEEP_MS = 5000
/** Each server looks by itself that often, whatever becomes of the queue. */
const LOOK_MS = 60_000
/** So late after the time of a wake-up a server stops waiting for it. */
const LATE_MS = 5000
/** Full servers hand a wake-up round that often. */
const PASS_ON_MS = 1000
/** The inbox and the queue have that long each to let go of this server. */
const GOODBYE_MS = 2000
const DELIVERY_LEASE_MS = 30_000
const LONGEST_RETRY_MS = 3_600_000
const DELIVERIES_PER_CLAIM = 50
const FORGET_EVERY_MS = 3_600_000
const DELIVERIES_PER_FORGETTING = 1000

/** Tasks that run beside those of other lanes and take no place from them. */
export interface Lane extends LeasedRunOptions {
  /** The names of the tasks' handlers that this process can run. */
  handlers: () => readonly string[]
  /** How many run at once. */
  places: number
  /** Tasks are left so long to servers that have another lane for them, and looked for now and then. @default 0 */
  patienceMs?: number
}

/** What the worker works with. */
export interface WorkerOptions {
  inbox: Inbox
  clock: Clock
  logger: Logger
  instrumentation: ReceiverInstrumentation
  /** The name of the receiver whose deliveries and tasks these are. */
  name: string
  jobs: JobQueue
  /** The shop's handlers first: when their places are taken, other servers are asked for help. */
  lanes: readonly [Lane, ...Lane[]]
  /** Decides a delivery that is parked, or whose decision is missing. */
  redeliver: (delivery: Delivery) => Promise<void>
  /** How long a delivery is kept that is done with; `undefined` for ever. */
  retentionMs: number | undefined
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
  const { inbox, clock, logger, name: receiver, lanes } = options
  const running = new Map<HandlerTask, { lane: Lane; end: Promise<void> }>()
  const turnEnds: (() => void)[] = []
  let life: Promise<void> = Promise.resolve()
  let isWoken = false
  // After `stop` the drain of an inbox that forgets still starts handlers, until its time is over.
  let state: 'idle' | 'started' | 'draining' | 'stopped' = 'idle'
  let endSleep = (): void => undefined
  let nextForgetMs = -Infinity
  let nextPatientLookMs = -Infinity

  /** Some in each turn, so that no handler waits for a long backlog. @returns whether there may be more. */
  const forgetOld = async (): Promise<boolean> => {
    const nowMs = clock.nowMs()
    if (options.retentionMs === undefined || nowMs < nextForgetMs) return false
    nextForgetMs = nowMs + FORGET_EVERY_MS
    const receivedBeforeMs = nowMs - options.retentionMs
    const limit = DELIVERIES_PER_FORGETTING
    if ((await inbox.forgetDecided({ receiver, receivedBeforeMs, limit })) < limit) return false
    nextForgetMs = nowMs
    return true
  }
  const startLane = async (lane: Lane): Promise<void> => {
    const limit = freePlaces(lane)
    if (limit === 0 || !canStartHandlers()) return
    const nowMs = clock.nowMs()
    const { patienceMs = 0 } = lane
    if (patienceMs > 0) {
      if (nowMs < nextPatientLookMs) return
      nextPatientLookMs = nowMs + LOOK_MS
    }
    const claimed = await inbox.claimTasks({
      receiver,
      handlers: lane.handlers(),
      nowMs: nowMs - patienceMs,
      leaseUntilMs: nowMs + HANDLER_LEASE_MS,
      limit,
    })
    // The inbox may have taken longer to answer than this process had left.
    if (!canStartHandlers()) {
      await Promise.all(claimed.map((task) => returnTask(lane, task)))
      return
    }
    for (const task of claimed) {
      const end = runLeased(lane, task).finally(() => {
        running.delete(task)
        wake()
      })
      running.set(task, { lane, end })
    }
  }
  const startHandlers = async (): Promise<void> => {
    for (const lane of lanes) await startLane(lane)
  }
  const freePlaces = (lane: Lane): number =>
    lane.places - [...running.values()].filter((one) => one.lane === lane).length
  const isStarted = (): boolean => state === 'started'
  const canStartHandlers = (): boolean => isStarted() || (state === 'draining' && !inbox.isDurable)
  const isFull = (): boolean => freePlaces(lanes[0]) === 0
  /** @returns how long to sleep, unless woken. */
  const takeTurn = async (): Promise<number> => {
    try {
      do {
        isWoken = false
        await sweep(options)
        await startHandlers()
      } while (isWoken && isStarted())
      if (await forgetOld()) isWoken = true
      if (isFull()) {
        // There may be more to run. The end of a handler wakes this worker, and another server may have a place.
        link.askForHelp()
        return SWEEP_MS
      }
      // The end of a task wakes this worker too, so a lane without places has nothing to wait for.
      const waiting = lanes.filter((lane) => !lane.patienceMs && freePlaces(lane) > 0)
      const handlers = waiting.flatMap((lane) => lane.handlers())
      const dueMs = (await inbox.nextDueMs({ receiver, handlers })) ?? Infinity
      const delayMs = Math.max(0, dueMs - clock.nowMs())
      if (delayMs < SWEEP_MS && isStarted()) link.wakeIn(delayMs)
      return Math.min(LOOK_MS, delayMs + LATE_MS)
    } catch (error) {
      logger.warn('the inbox cannot be reached; looking again soon', { error: errorFacts(error) })
      return SWEEP_MS
    }
  }
  const sleep = (delayMs: number): Promise<void> =>
    new Promise((resolve) => {
      const cancelTimer = clock.setTimer(resolve, delayMs, { isBackground: true })
      endSleep = () => {
        cancelTimer()
        resolve()
      }
    })
  /**
   * Turn after turn, from the start to the end of the drain. An `await` goes on in the async context of its function, so
   * nothing that runs here is in the context of a request that has woken it.
   */
  const live = async (): Promise<void> => {
    const { background } = options.instrumentation
    let delayMs = 0
    do {
      await sleep(isWoken ? 0 : delayMs)
      if (isStarted()) delayMs = await runInside(background, () => ({ receiver }), takeTurn)
      for (const resolve of turnEnds.splice(0)) resolve()
    } while (isStarted())
    await drain()
  }
  const wake = (): void => {
    isWoken = true
    endSleep()
  }
  const wakeAndWait = async (): Promise<void> => {
    if (!isStarted()) return
    const end = new Promise<void>((resolve) => turnEnds.push(resolve))
    wake()
    await end
  }
  /** Waits for what runs. A durable inbox keeps what is due for the next process; another runs it now. */
  const drain = async (): Promise<void> => {
    do {
      await Promise.all([...running.values()].map(({ end }) => end))
      await startHandlers()
    } while (running.size > 0)
  }
  /** A shop that is stopped hears what it has acknowledged and nobody will do. Never rejects. */
  const tellLost = async (): Promise<void> => {
    if (inbox.isDurable) return
    try {
      const { undecided, parked, open } = await inbox.stats({ receiver })
      if (undecided + parked + open === 0) return
      const facts = { undecided, parked, open }
      logger.error('what the inbox still holds is lost when the process ends', facts)
    } catch (error) {
      logger.warn('the inbox does not tell what it still holds', { error: errorFacts(error) })
    }
  }
  const link = createJobLink(options, {
    receiver,
    async onWake() {
      // The wake-up was for a server that has a place: it goes on to the next one.
      if (isFull()) link.wakeIn(PASS_ON_MS)
      else await wakeAndWait()
    },
    onSweep: wakeAndWait,
    sweepEveryMs: SWEEP_MS,
  })

  return {
    start() {
      if (state !== 'idle') return
      state = 'started'
      life = live()
      link.join()
    },
    wake,
    sweepReference: (reference) => sweep(options, reference),
    async stop(timeoutMs) {
      state = 'draining'
      endSleep()
      // First, so that wake-ups go to servers that can follow them.
      const left = link.leave()
      await hasEnded(life, { clock, withinMs: timeoutMs })
      state = 'stopped'
      const released = Promise.all(
        [...running].map(([task, { lane }]) => releaseTask(lane, task)),
      ).then(tellLost)
      // An inbox that does not answer sees the leases end by themselves.
      await hasEnded(released, { clock, withinMs: GOODBYE_MS })
      const goodbye = inbox.isDurable ? Promise.all([left, link.handOver()]) : left
      await hasEnded(goodbye, { clock, withinMs: GOODBYE_MS })
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
  const { clock } = options
  const { id, reference, attempts } = delivery
  try {
    const time = { clock, withinMs: DELIVERY_LEASE_MS, isBackground: true }
    if (!(await hasEnded(options.redeliver(delivery), time))) {
      throw new Error(`its decision took longer than ${DELIVERY_LEASE_MS} ms`)
    }
  } catch (error) {
    const delayMs = Math.min(DELIVERY_LEASE_MS * 2 ** (attempts - 1), LONGEST_RETRY_MS)
    options.logger.error('a delivery could not be decided; it is tried again', {
      id,
      reference,
      attempts,
      delayMs,
      error: errorFacts(error),
    })
    await options.inbox.postpone(id, clock.nowMs() + delayMs)
  }
}

interface TimeForWork {
  clock: Clock
  withinMs: number
  /** Whether the process may end meanwhile. @default false */
  isBackground?: boolean
}

/** Waits for work that may never end. @returns whether it has, in time. */
async function hasEnded(
  work: Promise<unknown>,
  { clock, withinMs, isBackground = false }: TimeForWork,
): Promise<boolean> {
  let cancel = (): void => undefined
  const timeout = new Promise<boolean>((resolve) => {
    cancel = clock.setTimer(() => resolve(false), withinMs, { isBackground })
  })
  try {
    return await Promise.race([work.then(() => true), timeout])
  } finally {
    cancel()
  }
}
