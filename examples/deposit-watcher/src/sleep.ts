import type { Clock } from '@tonplug/core'

/** Waits for `ms` milliseconds, or until the signal is aborted. */
export async function sleep(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
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
