import { systemClock } from '../shared/clock.js'

const DRAIN_BYTES = 1_048_576
const DRAIN_MS = 500

/** The part of a Node request that discarding its rest needs. */
export interface DrainableRequest {
  /** True when the whole request has arrived. */
  readonly complete: boolean
  readonly readableEnded: boolean
  readonly destroyed: boolean
  on(event: 'data', listener: (chunk: Uint8Array) => void): this
  once(event: 'end' | 'close', listener: () => void): this
  off(event: 'data', listener: (chunk: Uint8Array) => void): this
  off(event: 'end' | 'close', listener: () => void): this
  resume(): unknown
}

/**
 * Reads and discards bytes of a request that still arrive, for up to 500 ms or 1 MiB. Closing a connection while bytes arrive
 * could discard the response.
 */
export function drainRequest(request: DrainableRequest): Promise<void> {
  if (request.complete || request.readableEnded || request.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    let bytesLeft = DRAIN_BYTES
    const cancelTimer = systemClock.setTimer(stop, DRAIN_MS)
    request.on('data', count).once('end', stop).once('close', stop).resume()

    function count(chunk: Uint8Array): void {
      bytesLeft -= chunk.length
      if (bytesLeft < 0) stop()
    }

    function stop(): void {
      cancelTimer()
      request.off('data', count).off('end', stop).off('close', stop)
      resolve()
    }
  })
}
