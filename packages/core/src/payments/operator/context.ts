import { checkedInbox, type CheckedInbox } from '../inbox/checked-inbox.js'
import { checkedRepository, type CheckedRepository } from '../orders/checked-repository.js'
import type { Order } from '../orders/order.js'
import type { ClaimLateRefunds } from '../engine/late-refunds.js'
import type { PaymentsInternals } from '../engine/internals.js'
import type { Payments } from '../engine/payments.js'
import { ConfigurationError } from '../../shared/configuration-error.js'
import { createLateRefunds } from '../watcher/release-refunds.js'
import type { V3Client } from '../../toncenter/v3/client.js'

/** The methods of a client of API v3 that an operator needs. */
export type OperatorReader = Pick<
  V3Client,
  | 'masterchainInfo'
  | 'messages'
  | 'traces'
  | 'runGetMethod'
  | 'transactions'
  | 'accountStates'
  | 'jettonWallets'
>

/** Returns the client of API v3. @throws {ConfigurationError} without one. */
export function requireReader({ v3 }: { v3: OperatorReader | undefined }, action: string) {
  if (v3 !== undefined) return v3
  const problem = `is required to ${action}; pass the result of createV3Client() to createOperator()`
  throw new ConfigurationError({ option: 'v3', problem })
}

/** The stores that an operator reads, with checked results, and the engine. */
export interface OperatorContext<O extends Order = Order> {
  name: string
  inbox: CheckedInbox
  orders: CheckedRepository<O>
  engine: PaymentsInternals<O>
  v3: OperatorReader | undefined
  network: 'mainnet' | 'testnet'
  /** Present with `v3`. */
  claimLateRefunds: ClaimLateRefunds | undefined
}

export function createContext<O extends Order>({
  payments: { name, internals: engine },
  v3,
  network,
}: {
  payments: Pick<Payments<O>, 'name' | 'internals'>
  v3: OperatorReader | undefined
  network: 'mainnet' | 'testnet'
}): OperatorContext<O> {
  const inbox = checkedInbox(engine.inbox)
  const orders = checkedRepository(engine.orders)
  const { logger } = engine
  const claimLateRefunds = v3 && createLateRefunds({ inbox, v3, logger })
  return { name, inbox, orders, engine, v3, network, claimLateRefunds }
}
