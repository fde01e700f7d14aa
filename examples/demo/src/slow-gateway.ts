import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

/** Creates transfers, as the gateway does. */
export interface SlowGateway {
  createTransfer(): Promise<{ reference: string }>
  /** Resolves when the first transfer exists, which may be before the shop has its reference. */
  firstReference: Promise<string>
}

/** Creates transfers at once and returns them after `delayMs`, so that a buyer can pay in the meantime. */
export function createSlowGateway(delayMs: number): SlowGateway {
  let announce: (reference: string) => void
  const firstReference = new Promise<string>((resolve) => {
    announce = resolve
  })
  return {
    firstReference,
    async createTransfer() {
      const reference = randomUUID()
      announce(reference)
      await sleep(delayMs)
      return { reference }
    },
  }
}
