import type { IncomingMessage } from 'node:http'
import { systemClock } from '@tonplug/core'
import type { Answer } from '@tonplug/core'

const DRAIN_MS = 500

/**
 * Reads and discards the rest of a request for up to 500 ms if the answer closes the connection. Closing it while bytes
 * arrive could discard the answer.
 */
export async function drainRequest(request: IncomingMessage, { headers }: Answer): Promise<void> {
  if (headers['connection'] !== 'close' || request.complete || request.destroyed) return
  await new Promise<void>((resolve) => {
    const cancelTimer = systemClock.setTimer(done, DRAIN_MS)
    request.once('end', done).once('close', done).resume()
    function done(): void {
      cancelTimer()
      resolve()
    }
  })
}
