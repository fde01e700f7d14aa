import { systemClock } from '@tonplug/core'
import type { LogFields } from '@tonplug/core'
import type { WebhookInstance } from './webhook-instances.js'

const QUIET_MS = 60_000

/** Tells of deliveries that were read on their arrival and never came to their route. */
export interface UntakenLog {
  /** Something else answered the request, with a 2xx. */
  answered: (instance: WebhookInstance, target: string | undefined, status: number) => void
  /** Nothing has become of the request within the receiver's deadline. */
  held: (instance: WebhookInstance, target: string | undefined) => void
}

// Each with what it means and what to do.
const TEXTS = {
  answered:
    "a delivery was answered ahead of its webhook: nothing was recorded, and the gateway takes it as delivered. Another route, or a middleware or interceptor, has answered in its place. List the webhook's controller, or import its module, ahead of that one, or give the webhook a path of its own",
  held: 'a delivery has not come to its webhook within the deadline: nothing was recorded so far, and the sender is still waiting. A middleware, guard or interceptor ahead of it does not go on. If one waits for the stream of the request, tonplug has read that: use req.rawBody there, or leave this path out',
}

/** One line of each text and instance per minute: whoever knows the URL can send such requests. */
export function createUntakenLog(): UntakenLog {
  const quiet = new Map<string, { untilMs: number; leftOut: number }>()

  const log = (
    { name, options }: WebhookInstance,
    text: keyof typeof TEXTS,
    fields: LogFields,
  ): void => {
    const { clock = systemClock, logger } = options
    const key = `${text} ${name}`
    const silence = quiet.get(key)
    if (silence !== undefined && clock.nowMs() < silence.untilMs) {
      silence.leftOut++
      return
    }
    quiet.set(key, { untilMs: clock.nowMs() + QUIET_MS, leftOut: 0 })
    logger.error(TEXTS[text], { instance: name, ...fields, leftOut: silence?.leftOut ?? 0 })
  }

  return {
    answered: (instance, target, status) =>
      log(instance, 'answered', { path: toPath(target), status }),
    held: (instance, target) => log(instance, 'held', { path: toPath(target) }),
  }
}

/** Without the query, which may hold a secret. */
function toPath(target = ''): string {
  return target.split('?', 1).join().slice(0, 200)
}
