/** The part of `localStorage` that is used. */
export interface MarkStorage {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

/** The part of `navigator.locks` that is used. */
export interface MarkLocks {
  request<Result>(name: string, callback: () => Promise<Result>): Promise<Result>
}

/** The note that a wallet has an open payment request. */
export interface Mark {
  /** Distinguishes requests of one order. */
  id: string
  /** Unix seconds. */
  validUntil: number
}

/** The note about the open request of one order. All tabs of a browser read it, so that a second tab opens no other request. */
export interface SharedMark {
  /** False when the browser refuses its storage or its locks: then only this page knows the mark. */
  readonly isProtected: boolean
  read(): Mark | undefined
  write(mark: Mark): void
  /** Removes a mark, unless another one has replaced it. */
  remove(mark: Mark): void
  /** Runs an action while no other tab runs one of the same order. */
  exclusively<Result>(action: () => Promise<Result>): Promise<Result>
}

/** Opens the note of an order, in the browser's storage if it allows that. */
export function openMark(
  reference: string,
  storage: MarkStorage | undefined,
  locks: MarkLocks | undefined,
): SharedMark {
  const key = `tonplug:request:${reference}`
  let own: Mark | undefined
  let isProtected = locks !== undefined && isWritable(storage, key)
  const shared = (): MarkStorage | undefined => (isProtected ? storage : undefined)
  const mark: SharedMark = {
    get isProtected() {
      return isProtected
    },
    read() {
      try {
        const text = shared()?.getItem(key)
        // Written by this module.
        return text ? (JSON.parse(text) as Mark) : own
      } catch {
        return own
      }
    },
    write(next) {
      own = next
      try {
        shared()?.setItem(key, JSON.stringify(next))
      } catch {
        isProtected = false
      }
    },
    remove({ id }) {
      if (own?.id === id) own = undefined
      if (mark.read()?.id === id) shared()?.removeItem(key)
    },
    async exclusively(action) {
      if (locks === undefined) return action()
      let hasBegun = false
      try {
        return await locks.request(key, () => {
          hasBegun = true
          return action()
        })
      } catch (error) {
        if (hasBegun) throw error
        // The browser refuses its locks.
        isProtected = false
        return action()
      }
    },
  }
  return mark
}

function isWritable(storage: MarkStorage | undefined, key: string): boolean {
  try {
    storage?.setItem(`${key}:test`, '')
    storage?.removeItem(`${key}:test`)
    return storage !== undefined
  } catch {
    return false
  }
}
