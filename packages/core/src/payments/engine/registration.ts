import { describeAmounts, type Amounts, type LateRule } from '../orders/amounts.js'
import type { Order } from '../orders/order.js'
import type { Rule } from '../orders/rules.js'
import { errorFacts } from '../../shared/error-facts.js'
import type { HandlerEvent } from '../inbox/handler-event.js'
import type { Registration } from '../inbox/inbox-processes.js'
import type { WorkOptions } from './due-work.js'
import { createPoller, NEVER_MS, type Poller } from './poller.js'
import type { StoreClock } from './store-clock.js'

/** Shorter than the time to live of a policy, and no longer than an idle process waits. */
const REGISTER_EVERY_MS = 10_000
/** The policy of processes that have ended is replaced after this many registrations are missing. */
const MISSED_REGISTRATIONS = 3
/** Time after which the subscription of a removed handler expires. */
const SUBSCRIPTION_TTL_MS = 7 * 86_400_000
const FORGET_EVERY_MS = 3_600_000
const REPORTS_PER_TURN = 1000
const RETRY_MS = 1000

/** The settings that decide about payments. */
export interface Policy<O extends Order> {
  wallets?: readonly string[] | undefined
  rules: readonly Rule<O>[]
  amounts: Amounts<O> | undefined
  acceptLate: LateRule<O> | undefined
  proof: object | undefined
}

/** Describes a policy: equal policies of two processes give equal strings. Functions count by their names. */
export function describePolicy<O extends Order>(policy: Policy<O>): string {
  const { wallets, rules, amounts, acceptLate, proof } = policy
  return JSON.stringify({
    wallets: wallets === undefined ? null : [...wallets].toSorted(),
    verifyOnChain: proof !== undefined,
    amounts: describeAmounts(amounts),
    acceptLate: acceptLate === undefined ? null : acceptLate.name,
    rules: rules.map(({ name }, index) => (name === '' ? `rules[${index}]` : name)),
  })
}

/** Options of {@link createRegistration}. */
export interface RegistrationOptions extends WorkOptions {
  policy: string
  subscriptions: () => { handler: string; event: HandlerEvent }[]
  /** Returns true while a watcher of this process reads the wallets. */
  isWatching: () => boolean
  /** Compares the clock with the clock of the inbox. */
  storeClock: StoreClock
  /** The longest time between two reads of an idle inbox. */
  idlePollMs: number
  /** Retention of decided reports; absent for no limit. */
  retentionMs?: number | undefined
}

export type Registrar = ReturnType<typeof createRegistration>

/**
 * Keeps this process registered: its handlers are subscribed, and its policy is compared with the pinned one. After the
 * first registration, the due watch renews it.
 */
export function createRegistration(options: RegistrationOptions) {
  const { policy, logger, clock, storeClock } = options
  let pinnedPolicy: string | undefined
  let registeredAtMs = -Infinity
  let hasOtherNames = false
  let isWatched = false
  const registerNow = async (nextDue?: Registration['nextDue']): Promise<number | undefined> => {
    const beganMs = clock.nowMs()
    const registered = await register(options, nextDue)
    const { policy: pinned, nextDueInMs } = registered
    hasOtherNames = registered.hasOtherNames === true
    isWatched = registered.isWatched === true
    logPolicy(options, pinned, pinnedPolicy)
    pinnedPolicy = pinned
    registeredAtMs = beganMs
    void storeClock.compare()
    return nextDueInMs
  }
  // Reports wait for the first registration only.
  const first = createOnce(async () => void (await registerNow()))
  const takeTurn = async (): Promise<number> => {
    try {
      await (first.hasStarted() ? registerNow() : first.run())
      return NEVER_MS
    } catch (error) {
      logger.warn('process not registered; trying again', { error: errorFacts(error) })
      return RETRY_MS
    }
  }
  const poller = createPoller({ ...options, takeTurn })
  const cleanup = createCleanup(options)

  return {
    start(): void {
      poller.start()
      cleanup?.start()
    },
    stop: async (): Promise<void> => void (await Promise.all([poller.stop(), cleanup?.stop()])),
    /** True when the registration must be renewed. */
    isDue: (): boolean => clock.nowMs() - registeredAtMs >= REGISTER_EVERY_MS,
    /** Renews the registration. @returns the result of `nextDueInMs`. @throws {RepositoryError} when the inbox fails. */
    renewAndFindDue: registerNow,
    /** Resolves when this process is registered. @throws {RepositoryError} when the inbox fails. */
    ready: first.run,
    /** Registers again before the next report is decided, for example with a new handler. */
    renew(): void {
      first.reset()
      poller.wake()
    },
    /** True when this process's policy was the pinned one in its last registration. */
    isPinned: () => pinnedPolicy === policy,
    /** True when the database has other Payments. */
    hasOtherNames: () => hasOtherNames,
    /** True when a process of this name has a watcher, or has had one in the last hour. */
    isWatched: () => isWatched || options.isWatching(),
    /** True when another policy was the pinned one. */
    hasOtherPolicy: () => pinnedPolicy !== undefined && pinnedPolicy !== policy,
  }
}

function registerEveryMs({ idlePollMs }: RegistrationOptions): number {
  return Math.max(REGISTER_EVERY_MS, idlePollMs)
}

/** Runs `work` once, for all callers; again after a failure or a reset. */
function createOnce(work: () => Promise<void>) {
  let started: Promise<void> | undefined
  return {
    hasStarted: () => started !== undefined,
    run: (): Promise<void> => {
      if (started !== undefined) return started
      const current = work().catch((error: unknown) => {
        if (started === current) started = undefined
        throw error
      })
      started = current
      return current
    },
    reset: (): void => {
      started = undefined
    },
  }
}

function register(
  options: RegistrationOptions,
  nextDue: Registration['nextDue'],
): ReturnType<WorkOptions['inbox']['processes']['register']> {
  const { name, policy, inbox, subscriptions, isWatching } = options
  return inbox.processes.register({
    name,
    policy,
    policyTtlMs: registerEveryMs(options) * MISSED_REGISTRATIONS,
    handlers: subscriptions(),
    subscriptionTtlMs: SUBSCRIPTION_TTL_MS,
    isWatching: isWatching(),
    nextDue,
  })
}

/** Logs a change of the pinned policy. */
function logPolicy(
  { name, policy, logger }: RegistrationOptions,
  pinned: string,
  former: string | undefined,
): void {
  if (pinned !== policy && pinned !== former) {
    logger.error(
      'policy differs from the other processes; this one decides no parked reports. Use the same wallets, verifyOnChain, amounts, acceptLate and rules in every process',
      { payments: name, policy, pinned },
    )
  } else if (pinned === policy && former !== undefined && former !== policy) {
    logger.info('policy pinned; this process decides parked reports again', { payments: name })
  }
}

/** Creates a poller that deletes old reports once an hour; `undefined` when all are kept. */
function createCleanup(options: RegistrationOptions): Poller | undefined {
  const { name, inbox, logger, retentionMs } = options
  if (retentionMs === undefined) return undefined
  const query = { name, olderThanMs: retentionMs, limit: REPORTS_PER_TURN }
  const takeTurn = async (): Promise<number> => {
    try {
      return (await inbox.reports.forget(query)) < REPORTS_PER_TURN ? FORGET_EVERY_MS : 0
    } catch (error) {
      logger.warn('inbox not reachable; polling again', { error: errorFacts(error) })
      return REGISTER_EVERY_MS
    }
  }
  return createPoller({ ...options, takeTurn })
}
