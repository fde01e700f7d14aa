import type { NamedRefund } from '../../ledger/named-refund.js'

/** The effect of one transaction on the balance of its account in one asset. Amounts are in base units. */
export interface Movement {
  /** Incoming value, without the part that the transaction sent back. */
  received: bigint
  /** Value that came back because a transfer of the account did not arrive. */
  returned: bigint
  sent: bigint
  fees: bigint
  /** Transfers that name the payment which they return. */
  refunds: readonly NamedRefund[]
  /** Present when an unknown request has changed the data of a jetton wallet. */
  unknownOpcode?: string | undefined
}

export const NO_MOVEMENT: Movement = { received: 0n, returned: 0n, sent: 0n, fees: 0n, refunds: [] }

/** Returns the change of the balance. */
export function changeOf({ received, returned, sent, fees }: Movement): bigint {
  return received + returned - sent - fees
}
