/** Deliveries that wait, since {@link GatewayStandIn.hold} was called. */
export interface HeldDeliveries {
  /** How many wait. */
  readonly count: number
  /**
   * Lets them go one after the other, the next one when the first attempt of the one before has ended. Later
   * deliveries are not held any more.
   * @param order whether the one that came first goes first. @default 'forwards'
   * @returns when the first attempts of all have ended; retries go on by themselves.
   */
  release(order?: 'forwards' | 'backwards'): Promise<void>
}

/** One delivery at the gate. */
interface Waiting {
  /** Resolves when it may go. */
  admitted: Promise<void>
  /** To be called when its first attempt has ended, or it will make none. */
  started: () => void
}

/** Where deliveries wait for their release. */
export interface Gate extends HeldDeliveries {
  join(): Waiting
}

/**
 * Creates a gate that is closed. It opens for good when the signal is aborted.
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
