import type { IncomingMessage } from 'node:http'
import { BodyIncompleteError, readNodeBody } from '@tonplug/core'
import type { Answer } from '@tonplug/core'
import type { WebhookInstance } from './webhook-instances.js'

type Opened = { rawBody: Buffer } | { answer: Answer }

/**
 * A delivery from its arrival on. The receiver reads the body at once, ahead of every parser and within its own
 * limits; what it does with the bytes waits until guards and interceptors have let the request through to its route.
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
  let letThrough!: () => void
  let letGo!: (error: Error) => void
  const route = new Promise<void>((resolve, reject) => {
    letThrough = resolve
    letGo = reject
  })
  // Nobody is waiting for it when the request is refused without its body.
  route.catch(() => undefined)
  let state: 'arriving' | 'waiting' | 'taken' | 'dropped' = 'arriving'
  let answer!: Promise<Answer>
  const opened = new Promise<Opened>((resolve, reject) => {
    answer = instance.receiver.receive({
      method,
      url,
      headers,
      rawBody: async (limits) => {
        const bytes = await readNodeBody(request)(limits)
        if (state === 'arriving') state = 'waiting'
        resolve({ rawBody: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) })
        await route
        return bytes
      },
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
      state = 'taken'
      letThrough()
      return answer
    },
    drop: () => {
      // Every request ends, so most have been taken, and the stack of an error costs more than reading the body did.
      if (state === 'taken') return
      state = 'dropped'
      letGo(new BodyIncompleteError())
    },
  }
}
