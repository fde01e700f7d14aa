import type { CheckedInbox } from '../inbox/checked-inbox.js'
import type { Registration } from '../inbox/inbox-processes.js'
import { errorFacts } from '../../shared/error-facts.js'
import type { Logger } from '../../shared/logger.js'
import { createPoller, type PollerOptions } from './poller.js'

/** The time between two looks while another process has the due work, or while this one has more to claim. */
const TAKEN_MS = 1000
/** The time after which a statement that failed is repeated. */
const RETRY_MS = 5000

/** The store, the clock and the reporting of background work. */
export interface WorkOptions extends Omit<PollerOptions, 'takeTurn'> {
  inbox: CheckedInbox
  logger: Logger
}

/** Claimed work that has begun. */
export interface StartedWork {
  /** Never rejects. */
  end: Promise<void>
}

/** One kind of due work. */
export interface WorkKind {
  /** The work of this kind that has begun and not ended. */
  readonly running: ReadonlySet<StartedWork>
  /**
   * Claims due work, at most as much as there are free places for, and starts it.
   * @throws {RepositoryError} when the inbox fails.
   */
  claim(): Promise<readonly StartedWork[]>
}

/** Options of {@link createDueWork}. */
export interface DueWorkOptions extends WorkOptions {
  kinds: readonly WorkKind[]
  /** The longest time between two looks. */
  idlePollMs: number
  /** Returns the handlers whose tasks this process may claim now; `undefined` for all. */
  handlers: () => readonly string[] | undefined
  /** Renewed by every second look by default, in the same statement. */
  registration: {
    isDue: () => boolean
    renewAndFindDue: (nextDue: Registration['nextDue']) => Promise<number | undefined>
  }
}

/** Claims due work of all kinds. */
export interface DueWork {
  start(): void
  /** Claims work of a kind now, for example since a decision has scheduled it. */
  wake(kind: WorkKind): void
  /** Claims nothing more; resolves when the current claims have ended. */
  stop(): Promise<void>
}

/**
 * Creates the only poller of the inbox. It claims each kind of work that was woken, then reads when the next report or task
 * is due, and renews the registration. An idle process runs nothing else. The end of work wakes its kind, since a place is
 * free.
 */
export function createDueWork(options: DueWorkOptions): DueWork {
  const { kinds, clock, logger } = options
  const woken = new Set(kinds)
  /** True when the last look found due work. */
  let isFound = false
  let lookedAtMs = -Infinity

  const wake = (kind: WorkKind): void => {
    woken.add(kind)
    poller.wake()
  }
  const claim = async (kind: WorkKind): Promise<number> => {
    const started = await kind.claim()
    for (const { end } of started) void end.then(() => wake(kind))
    return started.length
  }
  const claimAll = async (chosen: readonly WorkKind[]): Promise<number> => {
    const results = await Promise.allSettled(chosen.map(claim))
    return results.reduce((sum, result) => {
      if (result.status === 'rejected') throw result.reason
      return sum + result.value
    }, 0)
  }
  const takeTurn = async (): Promise<number> => {
    const chosen = isFound ? kinds : kinds.filter((kind) => woken.has(kind))
    const wasFound = isFound
    isFound = false
    woken.clear()
    try {
      const count = await claimAll(chosen)
      // The look can wait, but not while work never ends: other kinds may be due, and the registration.
      const isRecent = Math.abs(clock.nowMs() - lookedAtMs) < TAKEN_MS
      if (woken.size > 0 && isRecent) return 0
      lookedAtMs = clock.nowMs()
      const dueInMs = await findNextDue(options)
      if (dueInMs > 0) return Math.min(options.idlePollMs, dueInMs)
      isFound = true
      // Another process may have it.
      return wasFound && count === 0 ? TAKEN_MS : 0
    } catch (error) {
      for (const kind of chosen) woken.add(kind)
      logger.warn('inbox not reachable; polling again', { error: errorFacts(error) })
      return RETRY_MS
    }
  }
  const poller = createPoller({ ...options, takeTurn })
  return { start: () => poller.start(), wake, stop: () => poller.stop() }
}

/** Returns the time until the next report or task is due. */
async function findNextDue(options: DueWorkOptions): Promise<number> {
  const { name, inbox, registration } = options
  const handlers = options.handlers()
  const dueInMs = registration.isDue()
    ? await registration.renewAndFindDue({ handlers })
    : await inbox.processes.nextDueInMs({ name, handlers })
  return dueInMs ?? Infinity
}

/** Starts work, and counts it until it ends. */
export function startWork<Work extends StartedWork>(running: Set<Work>, work: Work): Work {
  running.add(work)
  void work.end.then(() => running.delete(work))
  return work
}

/** Resolves when none of this work is running. */
export function endOf(running: ReadonlySet<StartedWork>): Promise<unknown> {
  return Promise.all([...running].map(({ end }) => end))
}
