import type { ReceivingInstance } from '../instances.js'

const INTERVAL_MS = 60_000

/** Logs deliveries that were read on arrival and did not reach their route. */
export interface UnreachedLog {
  /** Another part of the app responded with 2xx. */
  responded: (instance: ReceivingInstance, target: string | undefined, status: number) => void
  /** The request did not reach its route within the receiver's deadline. */
  timedOut: (instance: ReceivingInstance, target: string | undefined) => void
}

const MESSAGES = {
  responded:
    'delivery not recorded: another route, middleware or interceptor responded first; register the webhook before it, or use another path',
  timedOut:
    'delivery not recorded at its deadline: a middleware, guard or interceptor has not continued; read req.rawBody there instead of the stream',
}

/** Creates a log with at most one line per message, instance and minute, because anyone can send such requests. */
export function createUnreachedLog(): UnreachedLog {
  const suppressed = new Map<string, { untilMs: number; leftOut: number }>()

  const log = (
    { name, payments }: ReceivingInstance,
    kind: keyof typeof MESSAGES,
    fields: Record<string, unknown>,
  ): void => {
    const { clock, logger } = payments
    const key = `${kind} ${name}`
    const earlier = suppressed.get(key)
    if (earlier !== undefined && clock.nowMs() < earlier.untilMs) {
      earlier.leftOut++
      return
    }
    suppressed.set(key, { untilMs: clock.nowMs() + INTERVAL_MS, leftOut: 0 })
    logger.error(MESSAGES[kind], { instance: name, ...fields, leftOut: earlier?.leftOut ?? 0 })
  }

  return {
    responded: (instance, target, status) =>
      log(instance, 'responded', { path: toPath(target), status }),
    timedOut: (instance, target) => log(instance, 'timedOut', { path: toPath(target) }),
  }
}

/** Returns the path without the query, which may contain a secret. */
function toPath(target = ''): string {
  return target.split('?', 1).join().slice(0, 200)
}
