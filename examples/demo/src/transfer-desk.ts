import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

/** The gateway's side of creating transfers. */
export interface TransferDesk {
  createTransfer(): Promise<{ reference: string }>
  /** Resolves as soon as the first transfer exists, which may be before the shop is told. */
  firstReference: Promise<string>
}

/** Creates transfers at once and answers after `delayMs`: time enough for a quick buyer to pay. */
export function createTransferDesk(delayMs: number): TransferDesk {
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
