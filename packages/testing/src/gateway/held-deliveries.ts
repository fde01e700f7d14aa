/** Deliveries that are held since {@link MockGateway.hold} was called. */
export interface HeldDeliveries {
  /** Number of held deliveries. */
  readonly count: number
  /**
   * Releases the deliveries one after another, each when the first attempt of the previous one has ended. Later deliveries are
   * not held.
   * @param order `forwards` begins with the oldest delivery. @default 'forwards'
   * @returns when the first attempts of all have ended; retries continue.
   */
  release(order?: 'forwards' | 'backwards'): Promise<void>
}

/** One held delivery. */
interface Waiting {
  /** Resolves when it is released. */
  admitted: Promise<void>
  /** Must be called when its first attempt has ended, or when it makes none. */
  started: () => void
}

/** Holds deliveries until their release. */
export interface Gate extends HeldDeliveries {
  join(): Waiting
}

/**
 * Creates a closed gate. It stays open after the signal was aborted.
 * @param onRelease called when it opens.
 */
export function createGate(closing: AbortSignal, onRelease: () => void): Gate {
  const waiting: { admit: () => void; hasStarted: Promise<void> }[] = []
  const release = async (order: 'forwards' | 'backwards' = 'forwards'): Promise<void> => {
    closing.removeEventListener('abort', onClose)
    onRelease()
    const going = waiting.splice(0)
    if (order === 'backwards') going.reverse()
    for (const { admit, hasStarted } of going) {
      admit()
      await hasStarted
    }
  }
  const onClose = (): void => void release()
  closing.addEventListener('abort', onClose)

  return {
    get count() {
      return waiting.length
    },
    join() {
      const admission = createSignal()
      const start = createSignal()
      waiting.push({ admit: admission.give, hasStarted: start.given })
      return { admitted: admission.given, started: start.give }
    },
    release,
  }
}

function createSignal(): { given: Promise<void>; give: () => void } {
  let give = (): void => undefined
  const given = new Promise<void>((resolve) => {
    give = resolve
  })
  return { given, give }
}
