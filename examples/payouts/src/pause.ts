import type { Clock } from '@tonplug/core'

/** Waits for `ms`, or until the signal ends the wait. */
export async function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await new Promise<void>((resolve) => {
    const end = (): void => {
      cancel()
      signal.removeEventListener('abort', end)
      resolve()
    }
    const cancel = clock.setTimer(end, ms)
    signal.addEventListener('abort', end)
  })
}
