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
  /** The request is at its route. */
  take: () => Promise<Answer>
  /** The request ended elsewhere. */
  drop: () => void
}

export function openDelivery(
  instance: WebhookInstance,
  request: IncomingMessage,
  url: string | undefined,
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
  let isTaken = false
  let answer!: Promise<Answer>
  const opened = new Promise<Opened>((resolve, reject) => {
    answer = instance.receiver.receive({
      method,
      url,
      headers,
      rawBody: async (limits) => {
        const bytes = await readNodeBody(request)(limits)
        resolve({ rawBody: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) })
        await route
        return bytes
      },
    })
    answer.then((early) => resolve({ answer: early }), reject)
  })
  return {
    instance,
    opened,
    take: () => {
      isTaken = true
      letThrough()
      return answer
    },
    drop: () => {
      // Every request ends, so most have been taken, and the stack of an error costs more than reading the body did.
      if (!isTaken) letGo(new BodyIncompleteError())
    },
  }
}
