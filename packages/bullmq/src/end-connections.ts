import { setTimeout as sleep } from 'node:timers/promises'
import type { Queue, Worker } from 'bullmq'

/** Time limit for BullMQ to close its connections. */
export const END_MS = 1000

/** Closes the connections of a queue within seconds, even if Redis does not respond. */
export async function endQueue(queue: Queue): Promise<void> {
  if (!(await isDoneInTime(queue.close()))) disconnect(queue)
}

/** Returns false if the promise is still pending after {@link END_MS}. */
export async function isDoneInTime(ending: Promise<unknown>): Promise<boolean> {
  const settled = ending.then(
    () => true,
    () => true,
  )
  return Promise.race([settled, sleep(END_MS, false, { ref: false })])
}

/** Closes a connection that was never established, and disconnects one that BullMQ is already closing. */
export function disconnect({ backend: { connection, blockingConnection } }: Queue | Worker): void {
  for (const one of [connection, blockingConnection]) {
    for (const ended of [one?.close(true), one?.disconnect()]) ended?.catch(() => undefined)
  }
}
