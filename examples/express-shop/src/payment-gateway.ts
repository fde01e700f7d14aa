import { randomUUID } from 'node:crypto'
import type { ShopOrder } from './shop-order.js'

/** What the gateway must know to create a transfer. */
interface TransferRequest {
  rawAmount: bigint
  asset: string
  /** Shown to the buyer's wallet. */
  comment: string
}

/** What can be made to happen to an order without a wallet. */
export const simulations = ['pay', 'fail', 'underpay', 'twice'] as const

export type Simulation = (typeof simulations)[number]

/** What the shop answered to the simulated webhooks, in order; retries included. */
interface SimulationReport {
  /** HTTP statuses; null where there was no answer. */
  statuses: readonly (number | null)[]
}

/** The gateway's side of an order: it creates the transfer and gives it its reference. */
export interface PaymentGateway {
  createTransfer(request: TransferRequest): Promise<CreatedTransfer>
}

/** A transfer as the gateway returns it. */
interface CreatedTransfer {
  reference: string
  /** Kept with the order, so that no other payment can be proven for it. */
  bodyBase64Hash?: string | undefined
}

/** A gateway whose outcomes can be chosen. */
export interface DevelopmentGateway extends PaymentGateway {
  /** Delivers the webhooks of an outcome. */
  simulate(order: ShopOrder, simulation: Simulation): Promise<SimulationReport>
}

/** Whether the outcomes of this gateway can be chosen. */
export function isDevelopmentGateway(gateway: PaymentGateway): gateway is DevelopmentGateway {
  return 'simulate' in gateway
}

/**
 * Draws a reference and calls nobody. In its place goes a call of the gateway's create-transfer endpoint, which
 * also returns the message for the buyer's wallet to sign.
 */
export const unconnectedGateway: PaymentGateway = {
  createTransfer: () => Promise.resolve({ reference: randomUUID() }),
}
