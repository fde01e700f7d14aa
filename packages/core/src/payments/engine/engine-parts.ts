import type { CheckedInbox } from '../inbox/checked-inbox.js'
import type { Report } from '../inbox/inbox-reports.js'
import type { JoinedOrders } from '../inbox/inbox.js'
import type { PaymentVerifier } from '../ledger/payment-verifier.js'
import type { Amounts, LateRule } from '../orders/amounts.js'
import type { CheckedRepository } from '../orders/checked-repository.js'
import type { Decision } from '../orders/decision.js'
import type { Order } from '../orders/order.js'
import type { TransferData } from '../orders/payload.js'
import type { Rule } from '../orders/rules.js'
import type { Clock } from '../../shared/clock.js'
import type { Logger } from '../../shared/logger.js'
import type { ClaimLateRefunds } from './late-refunds.js'

/** Where orders, reports and credits are kept. */
export interface Stores<O extends Order> {
  orders: CheckedRepository<O>
  inbox: CheckedInbox
  /** Present where the inbox shares a database with the orders. */
  joined: JoinedOrders<O> | undefined
}

/** The rules of the shop. */
export interface Policy<O extends Order> {
  wallets?: readonly string[] | undefined
  amounts: Amounts<O> | undefined
  acceptLate: LateRule<O> | undefined
  rules: readonly Rule<O>[]
  /** Without it a report is trusted. */
  proof: PaymentVerifier | undefined
}

/** The process, and what it knows about others. */
export interface Runtime {
  clock: Clock
  logger: Logger
  /** Returns true while a watcher of this or another process reads the wallets. */
  isWatched: () => boolean
  /** Asks the watchers of this process for a transaction that a report names. */
  lookUp: (transactionHash: string, jetton?: string) => void
  /** Returns true when other Payments share the database. */
  hasOtherNames: () => boolean
  /** Claims the money of refunds again that were sent after their release. */
  claimLateRefunds: ClaimLateRefunds
  /** Called for each decision once it is recorded. */
  announce: (decision: Decision, transfer: TransferData, report: Report) => void
}

/** The parts of one Payments that deciding needs. A function that needs one of them takes that one. */
export interface EngineParts<O extends Order> {
  stores: Stores<O>
  policy: Policy<O>
  runtime: Runtime
}

/** The parts of Payments that prove payments on the chain. */
export interface ProvingParts<O extends Order> extends EngineParts<O> {
  policy: Policy<O> & { proof: PaymentVerifier }
}
