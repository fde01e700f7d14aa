import { randomUUID } from 'node:crypto'
import type { ShopOrder } from './shop-order.js'

/** A transfer to create at the gateway. */
interface TransferRequest {
  rawAmount: bigint
  asset: string
  /** Shown in the buyer's wallet. */
  comment: string
}

/** Payments that can be simulated without a wallet. */
export const simulations = ['pay', 'fail', 'underpay', 'twice'] as const

export type Simulation = (typeof simulations)[number]

/** Responses of the shop to the simulated webhooks, in order; retries included. */
interface SimulationReport {
  /** HTTP statuses; null without a response. */
  statuses: readonly (number | null)[]
}

/** Creates the transfer of an order, which has its reference. */
export interface PaymentGateway {
  createTransfer(request: TransferRequest): Promise<CreatedTransfer>
}

/** A transfer as the gateway returns it. */
interface CreatedTransfer {
  reference: string
  /** Stored with the order, so that no other payment can be proven for it. */
  bodyBase64Hash?: string | undefined
}

/** A gateway that simulates payments. */
export interface DevelopmentGateway extends PaymentGateway {
  /** Delivers the webhooks of a simulated payment. */
  simulate(order: ShopOrder, simulation: Simulation): Promise<SimulationReport>
}

/** Returns true for a gateway that simulates payments. */
export function isDevelopmentGateway(gateway: PaymentGateway): gateway is DevelopmentGateway {
  return 'simulate' in gateway
}

/**
 * Creates a random reference. Replace it by a call of the gateway's create-transfer endpoint, which also returns the message
 * for the buyer's wallet to sign.
 */
export const unconnectedGateway: PaymentGateway = {
  createTransfer: () => Promise.resolve({ reference: randomUUID() }),
}
