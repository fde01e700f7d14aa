import type { Clock } from '@tonplug/core'

/** Creates a clock whose timers start when `resume` is called. */
export function pausedClock(): { clock: Clock; resume: () => void } {
  let resume = (): void => undefined
  const resumed = new Promise<void>((resolve) => {
    resume = resolve
  })
  const clock: Clock = {
    nowMs: () => Date.now(),
    setTimer(callback, delayMs) {
      let isCancelled = false
      let timer: NodeJS.Timeout | undefined
      void resumed.then(() => {
        if (!isCancelled) timer = setTimeout(callback, delayMs)
      })
      return () => {
        isCancelled = true
        clearTimeout(timer)
      }
    },
  }
  return { clock, resume }
}
