import type { HandlerEvent } from './handler-event.js'
import type { Clock } from '../../shared/clock.js'
import type { Registration } from './inbox-processes.js'

/** A watcher that is restarted is missing for less. */
const WATCHED_MS = 3_600_000

interface Subscription {
  name: string
  handler: string
  event: HandlerEvent
  expiresAtMs: number
}

/** The subscriptions and policies of the memory inbox. */
export function memoryRegistrations(clock: Clock) {
  const subscriptions = new Map<string, Subscription>()
  const policies = new Map<string, { policy: string; seenAtMs: number }>()
  /** When a process with a watcher has registered last, by name. */
  const watchedAtMs = new Map<string, number>()
  const idOf = (name: string, handler: string): string => JSON.stringify([name, handler])

  return {
    register(registration: Registration) {
      const { name, policy, policyTtlMs, handlers, subscriptionTtlMs } = registration
      const nowMs = clock.nowMs()
      if (registration.isWatching === true) watchedAtMs.set(name, nowMs)
      const isWatched = nowMs - (watchedAtMs.get(name) ?? -Infinity) < WATCHED_MS
      for (const { handler, event } of handlers) {
        const expiresAtMs = nowMs + subscriptionTtlMs
        subscriptions.set(idOf(name, handler), { name, handler, event, expiresAtMs })
      }
      const pinned = policies.get(name)
      const isOther = pinned !== undefined && pinned.policy !== policy
      const isPinned = isOther && nowMs < pinned.seenAtMs + policyTtlMs
      if (!isPinned) policies.set(name, { policy, seenAtMs: nowMs })
      return {
        policy: isPinned ? pinned.policy : policy,
        ...(policies.size > 1 && { hasOtherNames: true }),
        ...(isWatched && { isWatched }),
      }
    },
    unsubscribe: (name: string, handler: string): boolean =>
      subscriptions.delete(idOf(name, handler)),
    /** Returns the handlers that are subscribed to an event. */
    handlersOf(name: string, event: HandlerEvent): string[] {
      const nowMs = clock.nowMs()
      return [...subscriptions.values()]
        .filter((one) => one.name === name && one.event === event && nowMs < one.expiresAtMs)
        .map(({ handler }) => handler)
    },
    isPinned: (name: string, policy: string): boolean => policies.get(name)?.policy === policy,
  }
}
