import type { Order } from '../orders/order.js'
import type { Rule } from '../orders/rules.js'
import { errorFacts } from '../shared/error-facts.js'
import type { HandlerEvent } from '../inbox/handler-event.js'
import type { WorkOptions } from './inbox-poller.js'
import { createPoller } from './poller.js'

const REGISTER_EVERY_MS = 10_000
/** Time after which the policy of processes that have ended is replaced. */
const POLICY_TTL_MS = 30_000
/** Time after which the subscription of a removed handler expires. */
const SUBSCRIPTION_TTL_MS = 7 * 86_400_000
const FORGET_EVERY_MS = 3_600_000
const REPORTS_PER_TURN = 1000

/** The settings that decide about payments. */
export interface Policy<O extends Order> {
  wallets?: readonly string[] | undefined
  rules: readonly Rule<O>[]
  acceptAmount: ((...input: never[]) => boolean) | undefined
  proof: object | undefined
}

/** Describes a policy: equal policies of two processes give equal strings. Functions count by their names. */
export function describePolicy<O extends Order>(policy: Policy<O>): string {
  const { wallets, rules, acceptAmount, proof } = policy
  return JSON.stringify({
    wallets: wallets === undefined ? null : [...wallets].toSorted(),
    verifyOnChain: proof !== undefined,
    acceptAmount: acceptAmount === undefined ? null : acceptAmount.name,
    rules: rules.map(({ name }, index) => (name === '' ? `rules[${index}]` : name)),
  })
}

/** Options of {@link createRegistration}. */
export interface RegistrationOptions extends WorkOptions {
  policy: string
  subscriptions: () => { handler: string; event: HandlerEvent }[]
  /** Retention of decided reports; absent for no limit. */
  retentionMs?: number | undefined
}

export type Registrar = ReturnType<typeof createRegistration>

/** Keeps this process registered: its handlers are subscribed, and its policy is compared with the pinned one. */
export function createRegistration(options: RegistrationOptions) {
  const { policy, logger } = options
  const forgetOld = createCleanup(options)
  let pinnedPolicy: string | undefined
  const registerNow = async (): Promise<void> => {
    const pinned = await register(options)
    logPolicy(options, pinned, pinnedPolicy)
    pinnedPolicy = pinned
  }
  // Reports wait for the first registration only.
  const first = createOnce(registerNow)
  const takeTurn = async (): Promise<number> => {
    try {
      await (first.hasStarted() ? registerNow() : first.run())
      return (await forgetOld()) ? 0 : REGISTER_EVERY_MS
    } catch (error) {
      logger.warn('process not registered; trying again', { error: errorFacts(error) })
      return REGISTER_EVERY_MS / 10
    }
  }
  const poller = createPoller({ ...options, takeTurn })

  return {
    ...poller,
    /** Resolves when this process is registered. @throws {RepositoryError} when the inbox fails. */
    ready: first.run,
    /** Registers again before the next report is decided, for example with a new handler. */
    renew(): void {
      first.reset()
      poller.wake()
    },
    /** True when this process's policy was the pinned one in its last registration. */
    isPinned: () => pinnedPolicy === policy,
    /** True when another policy was the pinned one. */
    hasOtherPolicy: () => pinnedPolicy !== undefined && pinnedPolicy !== policy,
  }
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

/** @returns the pinned policy. @throws {RepositoryError} when the inbox fails. */
async function register({
  name,
  policy,
  inbox,
  subscriptions,
}: RegistrationOptions): Promise<string> {
  const registration = {
    name,
    policy,
    policyTtlMs: POLICY_TTL_MS,
    handlers: subscriptions(),
    subscriptionTtlMs: SUBSCRIPTION_TTL_MS,
  }
  const { policy: pinned } = await inbox.register(registration)
  return pinned
}

/** Logs a change of the pinned policy. */
function logPolicy(
  { name, policy, logger }: RegistrationOptions,
  pinned: string,
  former: string | undefined,
): void {
  if (pinned !== policy && pinned !== former) {
    logger.error(
      'policy differs from the other processes; this one decides no parked reports. Use the same wallets, verifyOnChain, acceptAmount and rules in every process',
      { payments: name, policy, pinned },
    )
  } else if (pinned === policy && former !== undefined && former !== policy) {
    logger.info('policy pinned; this process decides parked reports again', { payments: name })
  }
}

/** Returns a function that deletes some old reports once an hour; it returns true when there may be more. */
function createCleanup({ name, inbox, clock, retentionMs }: RegistrationOptions) {
  let nextMs = -Infinity
  return async (): Promise<boolean> => {
    if (retentionMs === undefined || clock.nowMs() < nextMs) return false
    nextMs = clock.nowMs() + FORGET_EVERY_MS
    const query = { name, olderThanMs: retentionMs, limit: REPORTS_PER_TURN }
    if ((await inbox.forgetDecided(query)) < REPORTS_PER_TURN) return false
    nextMs = clock.nowMs()
    return true
  }
}
