import type { Outcome } from './outcome.js'
import type { Stage, StageOptions } from './stage.js'

/** One row: what is sent, and what is promised to come of it. */
export interface Scene {
  /** What was sent, for the table. */
  sent: string
  stage?: StageOptions
  promised: Outcome
  /** Plays the scene; resolves with the reference of its order. */
  play: (stage: Stage) => Promise<string>
}

/** The promises that a completed order makes in every scene. */
export const paidOnce = { order: 'completed, 1 parcel', handlers: 'onPaid' }

/** The promises about an order that nothing has happened to. */
export const untouched = { order: 'pending', handlers: 'none' }

/** The most common scene: buy something, and one delivery follows. */
export function buyAndDeliver(
  product: string,
  makePayload: (reference: string) => object,
): Scene['play'] {
  return async (stage) => {
    const reference = await stage.buy(product)
    await stage.deliver(makePayload(reference))
    return reference
  }
}
