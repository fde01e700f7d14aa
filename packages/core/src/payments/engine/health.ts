import { z } from 'zod'
import type { CheckedInbox } from '../inbox/checked-inbox.js'
import type { InboxStats } from '../inbox/inbox.js'
import { isTonplugError } from '../../shared/tonplug-error.js'
import type { LastStore } from './last-store.js'
import type { OrderRepository } from '../orders/repository.js'
import type { Clock } from '../../shared/clock.js'
import { withDeadline } from '../../shared/timers.js'
import { durationMs, parseOptions, timerMs, type OptionSchemas } from '../../shared/options.js'
import { lazy } from '../../shared/lazy.js'

/** Limits for a health check. */
export interface PaymentsHealthOptions {
  /** Time for the stores to respond. @default 5_000 */
  timeoutMs?: number | undefined
  /**
   * Down when the oldest undecided report or open handler task has waited longer. Allow for handlers that are retried.
   * @default undefined (no limit)
   */
  maxWaitMs?: number | undefined
  /**
   * Degraded when a queue engine has held a task for longer without finishing it or failing it for the last time. Allow for
   * handlers that are retried.
   * @default 900_000 (15 minutes)
   */
  maxQueuedMs?: number | undefined
}

const OPTIONS = lazy(() =>
  z.strictObject({
    timeoutMs: timerMs.default(5_000),
    maxWaitMs: durationMs.default(Infinity),
    maxQueuedMs: durationMs.default(900_000),
  } satisfies OptionSchemas<PaymentsHealthOptions>),
)

/** Health of Payments, and the unfinished work in its inbox. */
export type PaymentsHealth = {
  /**
   * `degraded`: the last report could not be stored, or payments are accepted, but the queue engine does not run their handlers, or this process's policy differs
   * from the others', so it decides no parked reports, or its clock differs from the database's.
   */
  status: 'up' | 'degraded' | 'down'
  /** The inbox's name: `postgres`, `pglite` or `memory`. */
  inbox: string
  /** The inbox's counts; absent when it did not respond. */
  undecided?: number
  parked?: number
  unreadable?: number
  open?: number
  /** Handler tasks that a queue engine has accepted, and neither finished nor failed. */
  relayed?: number
  /** Handler tasks that have used all their attempts. They do not affect the status: other payments continue. */
  dead?: number
  /** Age of the oldest undecided report or open handler task; absent without one. */
  oldestWaitMs?: number
  /** Time since the oldest relayed task was handed over; absent without one. */
  oldestQueuedMs?: number
  /** The reason of `degraded` or `down`. */
  message?: string
}

/** The parts that are checked. */
export interface HealthSources {
  name: string
  inbox: CheckedInbox
  orders: Pick<OrderRepository, 'checkAccess'>
  clock: Clock
  isStarted: boolean
  hasOtherPolicy: boolean
  lastStore: LastStore
  /** The difference between the clocks of the process and of the inbox. */
  clockProblem: string | undefined
  /** Returns why the queue engine does not run the tasks. */
  queueProblem: () => Promise<string | undefined>
}

/** @throws {ConfigurationError} for an invalid time or an unknown option. */
export async function checkHealth(
  sources: HealthSources,
  options: PaymentsHealthOptions,
): Promise<PaymentsHealth> {
  const { name, inbox, orders, clock, isStarted } = sources
  const { timeoutMs, maxWaitMs, maxQueuedMs } = parseOptions(OPTIONS(), options)
  const stats = await withDeadline<InboxStats | string>(
    { clock, deadlineMs: timeoutMs },
    () => readStores(name, inbox, orders),
    () => `the stores did not respond within ${timeoutMs} ms`,
  )
  if (typeof stats === 'string') return { status: 'down', inbox: inbox.name, message: stats }
  const { oldestOpenAgeMs: oldestWaitMs, oldestRelayedAgeMs: oldestQueuedMs } = stats
  const { undecided, parked, unreadable, open, relayed, dead, problem } = stats
  const facts = {
    inbox: inbox.name,
    undecided,
    parked,
    unreadable,
    open,
    relayed,
    dead,
    ...(oldestWaitMs !== undefined && { oldestWaitMs }),
    ...(oldestQueuedMs !== undefined && { oldestQueuedMs }),
  }
  const failure = findProblem({ isStarted, problem, oldestWaitMs, maxWaitMs })
  if (failure !== undefined) return { status: 'down', ...facts, message: failure }
  const message = await findDegradation(sources, { timeoutMs, oldestQueuedMs, maxQueuedMs })
  return message === undefined
    ? { status: 'up', ...facts }
    : { status: 'degraded', ...facts, message }
}

/** Returns why payments are accepted and not completely processed; `undefined` without a problem. */
async function findDegradation(
  { clock, hasOtherPolicy, lastStore, clockProblem, queueProblem }: HealthSources,
  limits: { timeoutMs: number; oldestQueuedMs: number | undefined; maxQueuedMs: number },
): Promise<string | undefined> {
  // Not `down`: a load balancer would send no further report, whose success ends this.
  const storeProblem = lastStore.problem()
  if (storeProblem !== undefined) return storeProblem
  if (hasOtherPolicy) return OTHER_POLICY
  const { timeoutMs, oldestQueuedMs = 0, maxQueuedMs } = limits
  const problem = await withDeadline<string | undefined>(
    { clock, deadlineMs: timeoutMs },
    queueProblem,
    () => `the queue did not respond within ${timeoutMs} ms`,
  )
  if (problem !== undefined) return problem
  if (oldestQueuedMs <= maxQueuedMs) return clockProblem
  return `the queue has held a task for ${oldestQueuedMs} ms, more than ${maxQueuedMs} ms, and has neither finished nor failed it`
}

const OTHER_POLICY =
  'the policy of this process (wallets, verifyOnChain, amounts, acceptLate, rules) differs from that of the others; the log has both'

/** @returns the problem when there is one, without the driver's own message, which may contain an address. */
async function readStores(
  name: string,
  inbox: CheckedInbox,
  orders: Pick<OrderRepository, 'checkAccess'>,
): Promise<InboxStats | string> {
  let stats: InboxStats
  try {
    stats = await inbox.stats({ name })
  } catch {
    return 'the inbox cannot be read'
  }
  try {
    await orders.checkAccess?.()
  } catch (error) {
    // The message of any other error may contain an address.
    const why = isTonplugError(error) ? `: ${error.message}` : ''
    return `the orders cannot be written${why}`
  }
  return stats
}

function findProblem({
  isStarted,
  problem,
  oldestWaitMs = 0,
  maxWaitMs,
}: {
  isStarted: boolean
  problem: string | undefined
  oldestWaitMs: number | undefined
  maxWaitMs: number
}): string | undefined {
  if (!isStarted) return 'Payments has not been started, or was closed'
  if (problem !== undefined) return problem
  if (oldestWaitMs <= maxWaitMs) return undefined
  return `the oldest report has waited ${oldestWaitMs} ms, more than ${maxWaitMs} ms`
}
