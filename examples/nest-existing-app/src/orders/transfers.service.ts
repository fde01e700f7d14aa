import { randomUUID } from 'node:crypto'
import { Injectable } from '@nestjs/common'

/** Creates transfers with the payment gateway. */
@Injectable()
export class TransfersService {
  /** Generates a reference. A real app calls the gateway's create-transfer endpoint. */
  async create(_transfer: { rawAmount: bigint; asset: string }): Promise<{ reference: string }> {
    return { reference: randomUUID() }
  }
}
