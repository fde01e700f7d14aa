import type { Inbox, InboxStats } from '../inbox/inbox.js'
import type { Clock } from '../runtime/clock.js'
import { checkOptionNames } from '../transport/option-names.js'
import { positive } from './check-options.js'
import { withDeadline } from './deadline.js'

/** How strictly a receiver is looked at. */
export interface ReceiverHealthOptions {
  /** Time for the inbox to answer. @default 5_000 */
  timeoutMs?: number | undefined
  /**
   * Down when the oldest delivery that is undecided, or has an open handler, came longer ago, or was replayed longer ago.
   * Leave time for handlers that are tried again.
   * @default undefined (however long)
   */
  maxWaitMs?: number | undefined
}

const NAMES: Record<keyof ReceiverHealthOptions, true> = { timeoutMs: true, maxWaitMs: true }

/** Whether a receiver can take deliveries, and what its inbox has to do. */
export type ReceiverHealth = {
  status: 'up' | 'down'
  /** The inbox's name, as `postgres`, `pglite` or `memory`. */
  inbox: string
  /** The inbox's counts; absent when it did not answer. */
  undecided?: number
  parked?: number
  open?: number
  /** Handlers that have used up their attempts. They make nothing down: other payments go on. */
  dead?: number
  /** How long the oldest has waited that is undecided or has an open handler; absent when there is none. */
  oldestWaitMs?: number
  /** Why it is down. */
  message?: string
}

/** What is looked at. */
export interface HealthSources {
  name: string
  inbox: Inbox
  clock: Clock
  isOpen: () => boolean
}

/** @throws {ConfigurationError} for a time that is none, and for an option that does not exist. */
export async function checkHealth(
  { name: receiver, inbox, clock, isOpen }: HealthSources,
  options: ReceiverHealthOptions,
): Promise<ReceiverHealth> {
  checkOptionNames(options, Object.keys(NAMES))
  const { timeoutMs = 5_000, maxWaitMs } = options
  positive('maxWaitMs', maxWaitMs, Number.MAX_SAFE_INTEGER)
  const stats = await withDeadline<InboxStats | string>(
    { clock, deadlineMs: positive('timeoutMs', timeoutMs) },
    () => readStats(inbox, receiver),
    () => `the inbox did not answer within ${timeoutMs} ms`,
  )
  if (typeof stats === 'string') return { status: 'down', inbox: inbox.name, message: stats }
  const { oldestOpenMs, isReadOnly = false, ...counts } = stats
  const oldestWaitMs =
    oldestOpenMs === undefined ? undefined : Math.max(0, clock.nowMs() - oldestOpenMs)
  const message = findProblem({ isOpen: isOpen(), isReadOnly, oldestWaitMs, maxWaitMs })
  return {
    status: message === undefined ? 'up' : 'down',
    inbox: inbox.name,
    ...counts,
    ...(oldestWaitMs !== undefined && { oldestWaitMs }),
    ...(message !== undefined && { message }),
  }
}

/** @returns the problem in words when there is one; what a driver throws may hold an address. */
async function readStats(inbox: Inbox, receiver: string): Promise<InboxStats | string> {
  try {
    return await inbox.stats({ receiver })
  } catch {
    return 'the inbox cannot be read'
  }
}

function findProblem({
  isOpen,
  isReadOnly,
  oldestWaitMs = 0,
  maxWaitMs = Infinity,
}: {
  isOpen: boolean
  isReadOnly: boolean
  oldestWaitMs: number | undefined
  maxWaitMs: number | undefined
}): string | undefined {
  if (!isOpen) return 'the receiver has not started, or was closed'
  if (isReadOnly)
    return 'the inbox can be read and stores nothing: its database is read-only, or its role may not write'
  if (oldestWaitMs <= maxWaitMs) return undefined
  return `the oldest delivery has waited ${oldestWaitMs} ms, more than ${maxWaitMs} ms`
}
