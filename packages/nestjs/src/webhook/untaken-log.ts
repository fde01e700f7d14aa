import { systemClock } from '@tonplug/core'
import type { WebhookInstance } from './webhook-instances.js'

const QUIET_MS = 60_000

/** Tells of deliveries that were read on their arrival and never came to their route. */
export interface UntakenLog {
  /** Something else answered the request, with a 2xx. */
  answered: (instance: WebhookInstance, target: string | undefined, status: number) => void
  /** Nothing has become of the request within the receiver's deadline. */
  held: (instance: WebhookInstance, target: string | undefined) => void
}

/** One line of each kind and instance per minute: whoever knows the URL can send such requests. */
export function createUntakenLog(): UntakenLog {
  const quiet = new Map<string, { untilMs: number; leftOut: number }>()

  const log = ({ name, options }: WebhookInstance, kind: string, message: string): void => {
    const { clock = systemClock, logger } = options
    const key = `${kind} ${name}`
    const silence = quiet.get(key)
    if (silence !== undefined && clock.nowMs() < silence.untilMs) {
      silence.leftOut++
      return
    }
    quiet.set(key, { untilMs: clock.nowMs() + QUIET_MS, leftOut: 0 })
    logger.error(message, { leftOut: silence?.leftOut ?? 0 })
  }

  return {
    answered: (instance, target, status) =>
      log(
        instance,
        'answered',
        `POST ${toPath(target)} was answered ${status} ahead of the webhook of '${instance.name}': nothing was recorded, and the gateway takes the delivery as delivered. Another route, or a middleware or interceptor, has answered in its place. List the webhook's controller, or import its module, ahead of that one, or give the webhook a path of its own`,
      ),
    held: (instance, target) =>
      log(
        instance,
        'held',
        `POST ${toPath(target)} has not come to the webhook of '${instance.name}' within its deadline: nothing was recorded so far, and the sender is still waiting. A middleware, guard or interceptor ahead of it does not go on. If one waits for the stream of the request, tonplug has read that: use req.rawBody there, or leave this path out`,
      ),
  }
}

/** Without the query, which may hold a secret. */
function toPath(target = ''): string {
  return target.split('?', 1).join().slice(0, 200)
}
