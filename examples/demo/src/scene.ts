import type { ChainStage } from './chain-stage.js'
import type { KilledShopOptions } from './killed-shop.js'
import type { Outcome } from './outcome.js'
import type { Stage, StageOptions } from './stage.js'

/** What is sent, and what is promised to come of it. */
interface Row {
  /** What was sent, for the table. */
  sent: string
  promised: Outcome
}

/** A row whose shop lives through it. */
export interface PlayedScene extends Row {
  stage?: StageOptions
  /** Plays the scene; resolves with the reference of its order. */
  play: (stage: Stage) => Promise<string>
}

/** A row whose shop is killed by SIGKILL and started again: a hoodie is bought and paid for. */
export interface KilledScene extends Row {
  killed: KilledShopOptions
}

/** A row whose gateway watches a simulated chain, on which wallet contracts pay. */
export interface ChainScene extends Row {
  /** Plays the scene; resolves with the reference of its order. */
  playOnChain: (stage: ChainStage) => Promise<string>
}

/** One row. */
export type Scene = PlayedScene | KilledScene | ChainScene

/** The promises that a completed order makes in every scene. */
export const paidOnce = { order: 'completed, 1 parcel', handlers: 'onPaid' }

/** The promises about an order that nothing has happened to. */
export const untouched = { order: 'pending', handlers: 'none' }

/** The most common scene: buy something, and one delivery follows. */
export function buyAndDeliver(
  product: string,
  makePayload: (reference: string) => object,
): PlayedScene['play'] {
  return async (stage) => {
    const reference = await stage.buy(product)
    await stage.deliver(makePayload(reference))
    return reference
  }
}
