import type { Clock } from '@tonplug/core'

/** The machine's clock, whose timers begin to run when `open` is called. */
export function gatedClock(): { clock: Clock; open: () => void } {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const clock: Clock = {
    nowMs: () => Date.now(),
    setTimer(callback, delayMs) {
      let isCancelled = false
      let timer: NodeJS.Timeout | undefined
      void opened.then(() => {
        if (!isCancelled) timer = setTimeout(callback, delayMs)
      })
      return () => {
        isCancelled = true
        clearTimeout(timer)
      }
    },
  }
  return { clock, open }
}
