import type { IncomingMessage } from 'node:http'
import { BodyIncompleteError, readNodeBody } from '@tonplug/core'
import type { Answer } from '@tonplug/core'
import type { WebhookInstance } from './webhook-instances.js'

/**
 * A delivery from its arrival on. The receiver reads the body at once, ahead of every parser and within its own
 * limits; what it does with the bytes waits until guards and interceptors have let the request through to its route.
 */
export interface OpenDelivery {
  readonly instance: WebhookInstance
  /** Resolves to the bytes; or to an answer, when the request is refused without its body. */
  readonly opened: Promise<{ rawBody: Buffer } | { answer: Answer }>
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
  const body = defer<{ rawBody: Buffer }>()
  const route = defer<void>()
  const answer = instance.receiver.receive({
    method,
    url,
    headers,
    rawBody: async (limits) => {
      const bytes = await readNodeBody(request)(limits)
      body.resolve({ rawBody: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) })
      await route.promise
      return bytes
    },
  })
  let isTaken = false
  return {
    instance,
    opened: Promise.race([body.promise, answer.then((early) => ({ answer: early }))]),
    take: () => {
      isTaken = true
      route.resolve()
      return answer
    },
    drop: () => {
      // Every request ends, so most have been taken, and the stack of an error costs more than reading the body did.
      if (!isTaken) route.reject(new BodyIncompleteError())
    },
  }
}

function defer<Value>() {
  let resolve!: (value: Value) => void
  let reject!: (error: Error) => void
  const promise = new Promise<Value>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  // Nobody may be waiting when it is rejected.
  promise.catch(() => undefined)
  return { promise, resolve, reject }
}
