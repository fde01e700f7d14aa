import type { StoredCredit } from '../inbox/inbox-credits.js'
import type { Report } from '../inbox/inbox-reports.js'
import type { Inbox } from '../inbox/inbox.js'
import type { PaymentVerifier } from '../ledger/payment-verifier.js'
import type { RuleVerdict } from '../orders/decide.js'
import type { Decision } from '../orders/decision.js'
import type { Order } from '../orders/order.js'
import type { OrderRepository } from '../orders/repository.js'
import type { Clock } from '../../shared/clock.js'
import type { Logger } from '../../shared/logger.js'
import type { PaymentsInstrumentation } from './instrumentation.js'
import type { TransferReport } from './report.js'

/** The stores of one Payments, and steps of its engine. Not for apps: it may change in any release. */
export interface PaymentsInternals<O extends Order = Order> {
  /** In canonical format, as given in the options. */
  readonly wallets: readonly string[] | undefined
  /** The shop's repository, as given. */
  readonly orders: OrderRepository<O>
  readonly inbox: Inbox
  /** The shop's proof of payments, `verifyOnChain`. */
  readonly proof: PaymentVerifier | undefined
  /** True when several payments may add up to a price. */
  readonly isAddingUp: boolean
  readonly clock: Clock
  readonly logger: Logger
  readonly instrumentation: PaymentsInstrumentation
  /**
   * Records that a watcher of this process reads the wallets.
   * @returns the function that ends it.
   */
  addWatcher(watcher: {
    /** Returns the chain time up to which it has scanned the wallets without a gap, Unix seconds. */
    checkedUntil: () => Promise<number | undefined>
    /**
     * Looks up a transaction, in hex, and stores the credits of its trace. Never throws.
     * @param jetton a master, canonical: credits in it are stored, too, when no order asks for it
     */
    lookUp: (transactionHash: string, jetton?: string) => void
    /** Claims the money of refunds again that were sent after their release. */
    claimLateRefunds: (released: readonly StoredCredit[]) => Promise<void>
  }): () => void
  /** Returns the verdict of each rule about a readable report. Changes nothing. */
  explain(report: Report, order: O | null): RuleVerdict[]
  /**
   * Stores a report of an operator and decides it by the pinned policy, again if it was decided before as anything but
   * `paid`.
   * @throws {ConfigurationError} after `close`, and before `start` with an inbox that is lost with the process.
   */
  submitByOperator(
    report: TransferReport,
    how?: {
      /** Replaces the key that equal transfers have. */
      key?: string | undefined
      /** Replaces the look of a watcher. */
      claimLateRefunds?: ((released: readonly StoredCredit[]) => Promise<void>) | undefined
    },
  ): Promise<{
    reportId: string
    /** Absent when this process may not decide: a started process with the pinned policy decides it within seconds. */
    decision?: Decision | undefined
  }>
  /** Decides due reports now, if started. */
  wakeReports(): void
  /** Runs due tasks now, if started. */
  wakeTasks(): void
}
