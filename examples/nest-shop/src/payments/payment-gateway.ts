import { randomUUID } from 'node:crypto'
import { Injectable } from '@nestjs/common'

/** What the gateway must know to create a transfer. */
export interface TransferRequest {
  rawAmount: bigint
  asset: string
  /** Shown to the buyer's wallet. */
  comment: string
}

/** A transfer as the gateway returns it. */
export interface CreatedTransfer {
  reference: string
  /** Kept with the order, so that no other payment can be proven for it. */
  bodyBase64Hash?: string | undefined
}

/**
 * Creates transfers. This one draws a reference and calls nobody: in its place goes a call of the gateway's
 * create-transfer endpoint, which also returns the message for the buyer's wallet to sign.
 */
@Injectable()
export class PaymentGateway {
  async createTransfer(_request: TransferRequest): Promise<CreatedTransfer> {
    return { reference: randomUUID() }
  }
}
