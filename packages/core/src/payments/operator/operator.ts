import { z } from 'zod'
import type { InboxSums } from '../inbox/inbox.js'
import type { Order } from '../orders/order.js'
import type { Payments } from '../engine/payments.js'
import { lazy } from '../../shared/lazy.js'
import { objectWith, parseOptions, type OptionSchemas } from '../../shared/options.js'
import { balance } from './books/balance.js'
import type { Balance, BalanceOptions } from './books/balance-result.js'
import { exportRows, type ExportQuery } from './export/export.js'
import type { ExportRow } from './export/export-row.js'
import { accept, type Acceptance, type AcceptResult } from './accept.js'
import { assign, type Assignment, type OperatorDecision } from './assign.js'
import { createContext, type OperatorReader } from './context.js'
import { inspectReport, type InspectedReport } from './inspect-report.js'
import { listTransfers, type ListedTransfer } from './list-transfers.js'
import type { OperatorNote } from './note.js'
import { refund, type Refund, type RefundRequest } from './refund.js'
import { refundProgress, type RefundProgress } from './refund-progress.js'
import { reprocess, type ReprocessFilter } from './reprocess.js'
import { retry, type RetryFilter } from './retry.js'
import { sums, type SumsQuery } from './sums.js'
import type { TransferQuery } from './transfer-query.js'

/** Options of {@link createOperator}. */
export interface OperatorOptions<O extends Order = Order> {
  /** It need not be started. */
  payments: Pick<Payments<O>, 'name' | 'internals'>
  /** A client of the network of the payments. Required for `refund` and `balance`. */
  v3?: OperatorReader | undefined
  /** The network of the payments. @default 'mainnet' */
  network?: 'mainnet' | 'testnet' | undefined
}

/** The actions of support and tools. Each action is recorded before it is carried out: who, when and why. */
export interface Operator<O extends Order = Order> {
  /**
   * Lists reported transfers, newest first, with the decision and what to do about the money. For the next page pass the
   * `reportId` of the last one as `before`.
   * @throws {ConfigurationError} for an invalid query.
   */
  list(query?: TransferQuery): Promise<ListedTransfer[]>
  /**
   * Returns the details of a report: its body, its order as it is now, the verdict of each rule, and the actions of
   * operators. Changes nothing.
   * @returns `undefined` for an unknown report.
   */
  inspect(reportId: string): Promise<InspectedReport<O> | undefined>
  /**
   * Assigns a transfer to an order, for example one whose payer wrote no comment. Applies the same rules, including the
   * on-chain proof, except that neither the body nor the age of the transfer must fit the order. Safe to repeat: a transfer
   * that was rejected is decided again.
   * @returns the decision; `unverified` with the reason `reused` when the transfer has paid another order or is being
   *   refunded.
   * @throws {ConfigurationError} when no stored report shows that this transaction brought money, and while it may be the
   *   payment of the order that it names: the chain shows that within an hour.
   * @throws {RepositoryError} while a webhook that may complete another order with the money is undecided. The assignment is
   *   stored: a started process decides it within a minute.
   */
  assign(assignment: Assignment, note: OperatorNote): Promise<OperatorDecision>
  /**
   * Completes an order with the money that arrived, whatever its amount and asset: with everything unused that was reported
   * for the order, or with one payment by its credit or report. Applies all other rules, including the on-chain proof. The
   * money has no other use afterwards. A repeated call returns the first result.
   * @returns `refused` with the reason when nothing arrived, the money is being refunded, or the order is not open.
   */
  accept(acceptance: Acceptance, note: OperatorNote & { reason: string }): Promise<AcceptResult>
  /**
   * Applies the rules again to stored reports that were not decided as `paid`, for example after a wallet or a price was
   * corrected. Unreadable reports are read again. The started processes decide them within seconds.
   * @returns how many reports will be decided again.
   * @throws {ConfigurationError} for an empty filter or an unknown field.
   */
  reprocess(filter: ReprocessFilter, note: OperatorNote): Promise<number>
  /**
   * Runs the dead handlers of a report again: those that have used all their attempts. Hands handlers that wait in a queue
   * engine over to it again, in case it has lost them; it keeps one job for each. The started processes do both within
   * seconds. A handler that is done never runs twice.
   * @returns how many handlers will run again.
   */
  retry(filter: RetryFilter, note: OperatorNote): Promise<number>
  /**
   * Proposes to return to the payer what no order has used of a payment: all of it, or its surplus. API v3 must show the money,
   * and the shop's `verifyOnChain` where it has one. Then follows the transfer once it is signed: call it again for the
   * state. At most one request can be signed at any time, on any number of servers: it is returned to one call, and the next
   * one only when the chain shows that the former has expired unsigned. From the first call on, this money pays no order; a
   * watcher releases it when the chain shows that the request has expired unsigned.
   * @throws {ConfigurationError} when an option is invalid, or no stored report shows that this transaction brought money.
   * @throws what the client of API v3 throws when the index cannot be reached.
   */
  refund(request: RefundRequest, note: OperatorNote): Promise<Refund>
  /**
   * Returns a proposed refund as the chain shows it now, by the id of its report. While it can be signed, the result has its
   * request, for every operator: sign it once. Changes nothing.
   * @returns `undefined` for a report that is not the proposal of a refund.
   * @throws what the client of API v3 throws when the index cannot be reached.
   */
  refundProgress(reportId: string): Promise<RefundProgress | undefined>
  /**
   * Compares the ledger with the chain, to the last base unit: books each account of a wallet along its own transactions,
   * and finds credits that the chain does not have. Reads 1000 transactions per request; the memory does not grow with
   * their number, only with that of refunds. Changes nothing.
   * @param wallet in any format
   * @returns the books of the native coin, and of each jetton wallet with credits.
   * @throws {ConfigurationError} when an option is invalid, or without `v3`.
   * @throws what the client of API v3 throws when the index cannot be reached.
   */
  balance(wallet: string, options?: BalanceOptions): Promise<Balance>
  /**
   * Iterates over the books: each credit of the ledger by the time of its block. Needs a watcher or proofs, which fill the
   * ledger. The memory does not grow with the number of rows. With `v3`, each transfer that the wallets have sent follows,
   * once, by the time of its block: `refund` or `outgoing`, and `refund_fee`. Without it, proposed refunds follow, by the
   * time of the last proposal for each payment. Format the rows with `csvLines` or `jsonLines`.
   * @throws {ConfigurationError} for an invalid query, when the iteration begins.
   */
  export(query?: ExportQuery): AsyncIterable<ExportRow>
  /**
   * Sums the money that arrived in a period, by asset, and the prices of the orders that were paid, by currency. Money needs a
   * watcher or proofs, which fill the ledger; prices need orders with offers that have a rate.
   * @throws {ConfigurationError} for an invalid query.
   */
  sums(query: SumsQuery): Promise<InboxSums>
}

const OPTIONS = lazy(() =>
  z.strictObject({
    payments: objectWith<Pick<Payments, 'name' | 'internals'>>('the result of createPayments()', [
      'internals.submitByOperator',
    ]),
    v3: objectWith<OperatorReader>('the result of createV3Client()', [
      'masterchainInfo',
      'messages',
    ]).optional(),
    network: z.enum(['mainnet', 'testnet']).default('mainnet'),
  } satisfies OptionSchemas<OperatorOptions>),
)

/**
 * Creates the actions of support and tools.
 * @throws {ConfigurationError} when an option is missing or invalid.
 * @example
 * ```ts
 * import { createPayments, memoryOrderRepository } from '@tonplug/core'
 * import { createOperator } from '@tonplug/core/operator'
 * import { createV3Client } from '@tonplug/core/toncenter'
 *
 * const payments = createPayments({ orders: memoryOrderRepository() })
 * const v3 = createV3Client({ network: 'mainnet', apiKey: process.env.TONCENTER_API_KEY })
 * const operator = createOperator({ payments, v3 })
 *
 * export async function refund(transactionHash: string) {
 *   const note = { by: 'ann@shop.example', reason: 'paid twice' }
 *   const refunded = await operator.refund({ transactionHash }, note)
 *   return refunded.state === 'proposed' ? refunded.request : refunded.state
 * }
 * ```
 */
export function createOperator<O extends Order = Order>(given: OperatorOptions<O>): Operator<O> {
  const { v3, network } = parseOptions(OPTIONS(), given)
  const context = createContext({ payments: given.payments, v3, network })
  return {
    list: (query = {}) => listTransfers(context, query),
    inspect: (reportId) => inspectReport(context, reportId),
    assign: (assignment, note) => assign(context, assignment, note),
    accept: (acceptance, note) => accept(context, acceptance, note),
    reprocess: (filter, note) => reprocess(context, filter, note),
    retry: (filter, note) => retry(context, filter, note),
    refund: (request, note) => refund(context, request, note),
    refundProgress: (reportId) => refundProgress(context, reportId),
    balance: (wallet, options = {}) => balance(context, wallet, options),
    export: (query = {}) => exportRows(context, query),
    sums: (query) => sums(context, query),
  }
}
