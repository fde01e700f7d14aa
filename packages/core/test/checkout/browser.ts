import type { MarkLocks, MarkStorage } from '@tonplug/core/checkout'

/** Storage that all tabs of a browser share. */
export function sharedStorage(): MarkStorage {
  const items = new Map<string, string>()
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  }
}

/** Locks that all tabs of a browser share. */
export function sharedLocks(): MarkLocks {
  const tails = new Map<string, Promise<unknown>>()
  return {
    request(name, callback) {
      const former = tails.get(name)
      const run = async () => {
        await former
        return callback()
      }
      const ran = run()
      tails.set(
        name,
        ran.catch(() => undefined),
      )
      return ran
    },
  }
}
