import type { HandlerEvent } from './handler-event.js'
import type { Clock } from '../../shared/clock.js'
import type { Registration } from './inbox.js'

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
  const idOf = (name: string, handler: string): string => JSON.stringify([name, handler])

  return {
    register({ name, policy, policyTtlMs, handlers, subscriptionTtlMs }: Registration) {
      const nowMs = clock.nowMs()
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
