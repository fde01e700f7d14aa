import { z } from 'zod'
import type { CheckedInbox } from '../inbox/checked-inbox.js'
import type { InboxStats } from '../inbox/inbox.js'
import { isTonplugError } from '../shared/tonplug-error.js'
import type { OrderRepository } from '../orders/repository.js'
import type { Clock } from '../shared/clock.js'
import { withDeadline } from '../shared/deadline.js'
import { durationMs, parseOptions, timerMs, type OptionSchemas } from '../shared/options.js'

/** Limits for a health check. */
export interface PaymentsHealthOptions {
  /** Time for the stores to respond. @default 5_000 */
  timeoutMs?: number | undefined
  /**
   * Down when the oldest undecided report or open handler task has waited longer. Allow for handlers that are retried.
   * @default undefined (no limit)
   */
  maxWaitMs?: number | undefined
}

const OPTIONS = z.strictObject({
  timeoutMs: timerMs.default(5_000),
  maxWaitMs: durationMs.default(Infinity),
} satisfies OptionSchemas<PaymentsHealthOptions>)

/** Health of Payments, and the unfinished work in its inbox. */
export type PaymentsHealth = {
  /** `degraded`: payments are accepted, but this process's policy differs from the others', so it decides no parked reports. */
  status: 'up' | 'degraded' | 'down'
  /** The inbox's name: `postgres`, `pglite` or `memory`. */
  inbox: string
  /** The inbox's counts; absent when it did not respond. */
  undecided?: number
  parked?: number
  unreadable?: number
  open?: number
  /** Handler tasks that have used all their attempts. They do not affect the status: other payments continue. */
  dead?: number
  /** Age of the oldest undecided report or open handler task; absent without one. */
  oldestWaitMs?: number
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
}

/** @throws {ConfigurationError} for an invalid time or an unknown option. */
export async function checkHealth(
  { name, inbox, orders, clock, isStarted, hasOtherPolicy }: HealthSources,
  options: PaymentsHealthOptions,
): Promise<PaymentsHealth> {
  const { timeoutMs, maxWaitMs } = parseOptions(OPTIONS, options)
  const stats = await withDeadline<InboxStats | string>(
    { clock, deadlineMs: timeoutMs },
    () => readStores(name, inbox, orders),
    () => `the stores did not respond within ${timeoutMs} ms`,
  )
  if (typeof stats === 'string') return { status: 'down', inbox: inbox.name, message: stats }
  const { oldestOpenAgeMs: oldestWaitMs, problem, ...counts } = stats
  const facts = {
    inbox: inbox.name,
    ...counts,
    ...(oldestWaitMs !== undefined && { oldestWaitMs }),
  }
  const message = findProblem({ isStarted, problem, oldestWaitMs, maxWaitMs })
  if (message !== undefined) return { status: 'down', ...facts, message }
  if (!hasOtherPolicy) return { status: 'up', ...facts }
  const difference =
    'the policy of this process (wallets, verifyOnChain, acceptAmount, rules) differs from that of the others; the log has both'
  return { status: 'degraded', ...facts, message: difference }
}

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
