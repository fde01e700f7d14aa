export {
  createOperator,
  type Operator,
  type OperatorOptions,
} from './payments/operator/operator.js'
export type { OperatorReader } from './payments/operator/context.js'
export type {
  AccountBalance,
  Balance,
  BalanceAlarm,
  BalanceHold,
  BalanceOptions,
  BalanceState,
  BookedTo,
} from './payments/operator/books/balance-result.js'
export { csvLines, jsonLines } from './payments/operator/export/csv.js'
export type { ExportQuery } from './payments/operator/export/export.js'
export { EXPORT_COLUMNS, type ExportRow } from './payments/operator/export/export-row.js'
export type { Acceptance, AcceptResult } from './payments/operator/accept.js'
export type { Assignment, OperatorDecision } from './payments/operator/assign.js'
export type { InspectedReport, ReportAction } from './payments/operator/inspect-report.js'
export type { ListedTransfer } from './payments/operator/list-transfers.js'
export type { OperatorNote } from './payments/operator/note.js'
export type { Refund, RefundRequest } from './payments/operator/refund.js'
export type { RefundProgress } from './payments/operator/refund-progress.js'
export type { ReprocessFilter } from './payments/operator/reprocess.js'
export type { RetryFilter } from './payments/operator/retry.js'
export type { SumsQuery } from './payments/operator/sums.js'
export type { TransferQuery } from './payments/operator/transfer-query.js'
export type {
  RecordedAction,
  Report,
  ReportFilter,
  ReportParts,
  ReportQuery,
} from './payments/inbox/inbox-reports.js'
export type { TaskProgress } from './payments/inbox/inbox-tasks.js'
export type { InboxSums, SumOfCredits, SumOfPrices } from './payments/inbox/inbox.js'
export type { RuleVerdict } from './payments/orders/decide.js'
export type { Decision } from './payments/orders/decision.js'
export type { Order, Payment, ReceivedAmount, ReportSource } from './payments/orders/order.js'
export { isSamePayment, type ReportedTransfer } from './payments/orders/same-payment.js'
export type { TransferData } from './payments/orders/payload.js'
export type { Payments } from './payments/engine/payments.js'
export type { PayerMessage, TonConnectMessages } from './shared/ton-connect-request.js'
export type { V3Client } from './toncenter/v3/client.js'
