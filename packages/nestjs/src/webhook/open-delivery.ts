import type { IncomingMessage } from 'node:http'
import { BodyIncompleteError, readNodeBody } from '@tonplug/core'
import type { Answer } from '@tonplug/core'
import type { ReceivingInstance } from '../instances.js'

type Opened = { rawBody: Buffer } | { answer: Answer }

/**
 * A delivery that is being received. The receiver reads the body on arrival, before every parser and within its own limits.
 * It processes the bytes when the request has passed guards and interceptors and reaches its route, in the async context of
 * the route.
 */
export interface OpenDelivery {
  readonly instance: ReceivingInstance
  /** Resolves to the bytes, or to an answer when the request is rejected before its body is read. */
  readonly opened: Promise<Opened>
  /** Returns true while the body has been read, and the request has neither reached its route nor ended. */
  isWaiting: () => boolean
  /** Processes the delivery, called when the request reaches its route. */
  resume: () => Promise<Answer>
  /** Discards the delivery, called when the request ends elsewhere. */
  discard: () => void
}

/**
 * Starts to receive a delivery.
 * @param onTimeout called when it is still waiting at the receiver's deadline.
 */
export function openDelivery(
  instance: ReceivingInstance,
  request: IncomingMessage,
  { url, onTimeout }: { url: string | undefined; onTimeout: () => void },
): OpenDelivery {
  const { method, headers } = request
  let state: 'arriving' | 'waiting' | 'resumed' | 'discarded' = 'arriving'
  let decideHeld = (): void => undefined
  let discardHeld = (): void => undefined
  let answer!: Promise<Answer>
  const opened = new Promise<Opened>((resolve, reject) => {
    answer = instance.receiver.receive({
      method,
      url,
      headers,
      rawBody: async (limits) => {
        const bytes = await readNodeBody(request)(limits)
        const isReached = new Promise<boolean>((settle) => {
          decideHeld = () => settle(true)
          discardHeld = () => settle(false)
        })
        if (state === 'discarded') throw new BodyIncompleteError()
        state = 'waiting'
        resolve({ rawBody: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) })
        if (await isReached) return bytes
        throw new BodyIncompleteError()
      },
    })
    answer.then((early) => {
      // The receiver waits for the route until its deadline.
      if (state === 'waiting') onTimeout()
      resolve({ answer: early })
    }, reject)
  })
  return {
    instance,
    opened,
    isWaiting: () => state === 'waiting',
    resume: () => {
      // A guard may have resumed it before its route, or the request may have ended.
      if (state === 'waiting') {
        state = 'resumed'
        decideHeld()
      }
      return answer
    },
    discard: () => {
      // Also called at the end of requests that have reached their route.
      if (state === 'resumed') return
      state = 'discarded'
      discardHeld()
    },
  }
}
