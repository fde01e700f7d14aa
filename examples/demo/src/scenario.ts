import type { ShopWithChain } from './shop-with-chain.js'
import type { KillPoint } from './stop-stores.js'
import type { Outcome } from './outcome.js'
import type { ShopWithoutGateway } from './shop-without-gateway.js'
import type { ShopWithGateway, ShopWithGatewayOptions } from './shop-with-gateway.js'

/** A row, and its promised outcome. */
interface Row {
  /** The first column of the table. */
  sent: string
  promised: Outcome
}

/** A row whose shop is not killed. */
export interface GatewayScenario extends Row {
  options?: ShopWithGatewayOptions
  /** Runs the scenario; returns the reference of its order. */
  run: (shop: ShopWithGateway) => Promise<string>
}

/** A row whose shop is killed by SIGKILL and started again: a hoodie is bought and paid for. */
export interface KillScenario extends Row {
  killedAt: KillPoint
}

/** A row whose gateway watches a simulated chain, on which wallet contracts pay. */
export interface ChainScenario extends Row {
  /** Runs the scenario; returns the reference of its order. */
  runOnChain: (shop: ShopWithChain) => Promise<string>
}

/** A row without a gateway. */
export interface InvoiceScenario extends Row {
  /** Runs the scenario; returns the reference of its order. */
  runWithoutGateway: (shop: ShopWithoutGateway) => Promise<string>
}

/** One row. */
export type Scenario = InvoiceScenario | GatewayScenario | KillScenario | ChainScenario

/** The promised outcome of every completed order. */
export const paidOnce = { order: 'completed, 1 parcel', handlers: 'onPaid' }

/** The promised outcome of an unchanged order. */
export const untouched = { order: 'pending', handlers: 'none' }

/** Returns the most common scenario: buys a product and delivers one webhook. */
export function buyAndDeliver(
  product: string,
  makePayload: (reference: string) => object,
): GatewayScenario['run'] {
  return async (shop) => {
    const reference = await shop.buy(product)
    await shop.deliver(makePayload(reference))
    return reference
  }
}
