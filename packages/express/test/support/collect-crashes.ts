import { onTestFinished } from 'vitest'

/** Collects errors that would otherwise end the process. */
export function collectCrashes(): unknown[] {
  const crashes: unknown[] = []
  const collect = (reason: unknown): void => void crashes.push(reason)
  process.on('uncaughtException', collect).on('unhandledRejection', collect)
  onTestFinished(() => {
    process.off('uncaughtException', collect).off('unhandledRejection', collect)
  })
  return crashes
}
