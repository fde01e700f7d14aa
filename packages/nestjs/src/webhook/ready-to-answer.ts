import type { IncomingMessage } from 'node:http'
import { systemClock } from '@tonplug/core'
import type { Answer } from '@tonplug/core'

const DRAIN_MS = 500

/**
 * Waits, for a while, until a sender whose connection is about to be closed has sent everything: closing it earlier
 * takes the answer away with it. What comes is dropped.
 */
export async function readyToAnswer(request: IncomingMessage, { headers }: Answer): Promise<void> {
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
