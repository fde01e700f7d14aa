import type { IncomingMessage } from 'node:http'
import { readNodeBody } from '@tonplug/core'
import type { Answer } from '@tonplug/core'
import type { WebhookInstance } from './webhook-instances.js'

type Opened = { rawBody: Buffer } | { answer: Answer }

/**
 * A delivery from its arrival on. The receiver reads the body at once, ahead of every parser and within its own
 * limits; what it does with the bytes waits until guards and interceptors have let the request through to its route, and
 * runs in the async context of that.
 */
export interface OpenDelivery {
  readonly instance: WebhookInstance
  /** Resolves to the bytes; or to an answer, when the request is refused without its body. */
  readonly opened: Promise<Opened>
  /** Whether it was read, and neither its route nor its end has come. */
  isWaiting: () => boolean
  /** The request is at its route. */
  take: () => Promise<Answer>
  /** The request ended elsewhere. */
  drop: () => void
}

/** @param onHeld called when it is still waiting at the receiver's deadline. */
export function openDelivery(
  instance: WebhookInstance,
  request: IncomingMessage,
  { url, onHeld }: { url: string | undefined; onHeld: () => void },
): OpenDelivery {
  const { method, headers } = request
  let state: 'arriving' | 'waiting' | 'taken' | 'dropped' = 'arriving'
  let letThrough = (): void => undefined
  let letGo = (): void => undefined
  let answer!: Promise<Answer>
  const opened = new Promise<Opened>((resolve, reject) => {
    let bytes: Uint8Array
    answer = instance.receiver.receive({
      method,
      url,
      headers,
      rawBody: async (limits) => (bytes = await readNodeBody(request)(limits)),
      hold: (decide) =>
        new Promise((settle) => {
          letThrough = () => settle(decide())
          letGo = () => settle(undefined)
          if (state === 'dropped') letGo()
          else state = 'waiting'
          resolve({ rawBody: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) })
        }),
    })
    answer.then((early) => {
      // The receiver waits for the route, and no longer than its deadline.
      if (state === 'waiting') onHeld()
      resolve({ answer: early })
    }, reject)
  })
  return {
    instance,
    opened,
    isWaiting: () => state === 'waiting',
    take: () => {
      // A guard may have taken it before its route, and its end may have come before either.
      if (state === 'waiting') {
        state = 'taken'
        letThrough()
      }
      return answer
    },
    drop: () => {
      // Every request ends; most have been taken.
      if (state === 'taken') return
      state = 'dropped'
      letGo()
    },
  }
}
