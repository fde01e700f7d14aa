/** The JSON interface between the desk's server and its pages. Amounts are base units in decimal digits; times are milliseconds since the Unix epoch. */

import type { TonConnectMessages } from '@tonplug/core/operator'

/** Something that an operator may do. */
export type DeskAction = 'accept' | 'assign' | 'refund' | 'reprocess' | 'retry' | 'look'

/** The state of a payment, or of an order without one. */
export type SituationState =
  | 'paid'
  | 'partly_paid'
  | 'too_much'
  | 'wrong_coin'
  | 'late'
  | 'unknown_order'
  | 'wrong_wallet'
  | 'paid_after_cancelling'
  | 'paid_twice'
  | 'waiting'
  | 'waiting_for_proof'
  | 'proof_failed'
  | 'needs_decision'
  | 'not_readable'
  | 'task_failed'
  | 'refund_opened'
  | 'refund_open'
  | 'refund_expired'
  | 'refund_sent'
  | 'refund_arrived'
  | 'settled'
  | 'repeated'
  | 'not_sent'
  | 'expired'
  | 'cancelled'

/** The facts of a payment, and the work of an operator, in the words of support. */
export interface Situation {
  state: SituationState
  /** The state in a few words, for example `partly paid`. */
  name: string
  tone: 'good' | 'bad' | 'wait' | 'plain'
  /** The facts in a sentence. Amounts are in coins, addresses friendly and shortened. */
  happened: string
  /** The work of an operator; absent for nothing to do. */
  todo?: string | undefined
  /** The first action. */
  action?: DeskAction | undefined
}

/** Response of `GET api/session`. */
export interface Session {
  /** The name that `authorize` returned. */
  operator: string
  mayAct: boolean
  /** For the header `x-csrf-token` of each POST. */
  csrfToken: string
  /** The name of the Payments. */
  name: string
  /** Absent when the desk does not know it; pages then show no links to an explorer. */
  network: 'mainnet' | 'testnet' | undefined
  actions: DeskAction[]
  /** True with a client of API v3. */
  canLookUp: boolean
  /** Absent on a desk whose refunds of jettons are not signed in the page. */
  tonConnect?: DeskTonConnect | undefined
}

/** Options of TON Connect: the manifest of the shop, and the bridges of wallets. */
export interface DeskTonConnect {
  /** The URL of the manifest that wallets load and show. */
  manifestUrl: string
  /** URLs of the bridges that the page may connect to, for example `https://bridge.tonapi.io/bridge`. */
  bridges: readonly string[]
}

/** A list of transfers. `open`: not decided yet, or waiting for an order or a proof. */
export type TransferGroup =
  'all' | 'open' | 'unknown_order' | 'mismatched' | 'unverified' | 'unreadable' | 'dead'

/** Response of `GET api/transfers?group=&search=&before=&limit=`. */
export interface TransferPage {
  /** Newest first. */
  transfers: TransferRow[]
  /** The value of `before` for the next page; absent on the last one. */
  next?: string | undefined
  /** Orders that the search finds beside these payments, on the first page of all groups. */
  orders?: OrderRow[] | undefined
  /** True when the repository of orders failed, so that the search lists none of them. */
  haveOrdersFailed?: boolean | undefined
  /** The hash of the search, for which nothing was found. */
  unknownHash?: string | undefined
}

/** Response of `POST api/look-up` with `{ hash }`: a transaction or a message on the chain. */
export interface ChainLookUp {
  /** The facts, and the work of the operator. */
  sentences: string[]
  /** The chain's time. */
  paidAtMs?: number | undefined
  /** The payments of it that the shop knows. */
  payments: TransferRow[]
  /** True for money in a wallet of the shop that it has not recorded. */
  isMissing?: boolean | undefined
}

/** A reported transfer. */
export interface TransferRow {
  reportId: string
  merchant: string
  /** `''` when it names no order, or is unreadable. */
  reference: string
  /** Lower-case hex where the hash is a hash; otherwise as reported; `''` when unreadable. */
  txHash: string
  /** The source that reported it. */
  source: string
  receivedAtMs: number
  state: 'undecided' | 'parked' | 'decided' | 'unreadable'
  /** The kind of its decision. */
  decision?: string | undefined
  /** The work of an operator, as in `operator.list`. */
  action: 'none' | 'wait' | 'assign' | 'accept_or_refund' | 'refund' | 'check'
  amount?: string | undefined
  asset?: string | undefined
  ticker?: string | undefined
  decimals?: number | undefined
  senderAddr?: string | undefined
  hasDeadHandler: boolean
  situation: Situation
}

/** Response of `GET api/payment?reference=&merchant=` and of `GET api/payment?reportId=`. */
export interface PaymentStory {
  /** The situation of the payment that needs an operator first; otherwise of the order. */
  situation: Situation
  /** The payments of these reports, sorted by how soon they need an operator. */
  payments: StoryPayment[]
  /** All events, oldest first. */
  timeline: TimelineEvent[]
  /** Absent for a transfer without a known order. */
  order?: StoryOrder | undefined
  /** Newest first. */
  reports: StoryReport[]
  /** Actions of operators about these reports, newest first. */
  audit: AuditRecord[]
}

/** A payment, which several sources may have reported. */
export interface StoryPayment {
  situation: Situation
  /** The actions that make sense, the first one first. */
  actions: DeskAction[]
  /** The report that the actions are about. */
  reportId: string
  /** All reports of the payment, that one among them. */
  reportIds: string[]
  merchant: string
  /** `''` when it names no order. */
  reference: string
  txHash: string
  /** In coins with the ticker. */
  amount?: string | undefined
  /** Friendly addresses. */
  sender?: string | undefined
  recipient?: string | undefined
  isNative: boolean
  /** True for one of several payments of its order that can be accepted together. */
  isOneOfSeveral: boolean
  /** The amount beyond the price of a paid order, in coins with the ticker. */
  surplus?: string | undefined
  comment?: string | undefined
  /** When the customer paid, by the chain's time. */
  paidAtMs?: number | undefined
  /** When the shop heard of it. */
  heardAtMs: number
  /** The newest refund. */
  refund?: StoryRefund | undefined
}

/** A refund that an operator has opened. */
export interface StoryRefund {
  by: string
  reason?: string | undefined
  openedAtMs: number
  /** The end of the time in which it can be signed. */
  validUntilMs: number
  /** In coins with the ticker. */
  amount: string
  /** The transaction that sent it, lower-case hex. */
  txHash?: string | undefined
  /** While it can be signed, for operators who may refund. */
  toSign?: RefundToSign | undefined
}

/** An event in the story of a payment. */
export interface TimelineEvent {
  atMs: number
  text: string
  /** The operator. */
  by?: string | undefined
  reason?: string | undefined
}

/** Response of `GET api/rest?reference=&merchant=`: what is missing of a partly paid order. */
export interface RestRequest {
  /** In coins with the ticker. */
  amount?: string | undefined
  /** Opens a wallet app of the customer, also as a QR code; absent with a problem. */
  link?: string | undefined
  /** The end of the price. */
  expiresAtMs?: number | undefined
  /** The reason why there is no link, in a sentence. */
  problem?: string | undefined
}

/** Response of `GET api/suggestions?reportId=`: open orders that ask for the amount of a payment, nearest in time first. */
export interface OrderSuggestions {
  orders: OrderSuggestion[]
}

/** An open order. */
export interface OrderSuggestion {
  reference: string
  merchant: string
  /** In coins with the ticker. */
  amount: string
  createdAtMs: number
}

/** An order, with the fields of the shop in `details`. */
export interface StoryOrder {
  reference: string
  merchant: string
  status: string
  expectedAmount: string
  receivedAmount?: string | undefined
  asset: string
  ticker?: string | undefined
  decimals?: number | undefined
  createdAtMs: number
  expiresAtMs?: number | undefined
  /** All other fields, JSON-safe. */
  details: Record<string, unknown>
}

/** One report of a payment's story. */
export interface StoryReport extends TransferRow {
  decisionDetail?: Record<string, unknown> | undefined
  /** The rules, applied again to the stored transfer and its order as it is now; the first that fails decides. */
  rules?: RuleVerdict[] | undefined
  proof?: { verdict: string; reason?: string | undefined } | undefined
  /** The name of the secret that signed a webhook. */
  signedWith?: string | undefined
  /** Who assigned it or asked for its refund, and why. */
  by?: string | undefined
  reason?: string | undefined
  /** Why its body cannot be read. */
  problem?: string | undefined
  /** The comment that the payer wrote, where the body has one. */
  comment?: string | undefined
  /** True for a comment that only payer and recipient can read. */
  isCommentEncrypted?: boolean | undefined
  /** As received. */
  body: string
  handlers: StoryHandler[]
}

/** The verdict of one rule. */
export interface RuleVerdict {
  rule: string
  passed: boolean
  expected?: string | undefined
  received?: string | undefined
}

/** A handler of a report, and its runs. */
export interface StoryHandler {
  taskId: string
  handler: string
  /** `relayed`: a queue engine has accepted it. */
  state: 'open' | 'relayed' | 'done' | 'dead'
  attempts: number
  isRunning: boolean
  /** The next run of an open one. */
  dueAtMs: number
  /** When a queue engine accepted it last. */
  relayedAtMs?: number | undefined
  /** The message of the last failed run. */
  error?: string | undefined
}

/** An action of an operator. */
export interface AuditRecord {
  action: DeskAction | 'sign' | 'end_signing'
  by: string
  reason?: string | undefined
  atMs: number
  reportId?: string | undefined
}

/** Response of `GET api/orders?status=&from=&before=&amount=&coin=&after=` and of `GET api/orders?search=`. */
export interface OrderList {
  /** False for a repository of the shop that has no lists; searches work nevertheless. */
  canList: boolean
  /** The tickers for a filter. */
  coins: string[]
  /** Newest first; results of a search by reference, and by the fields that the shop has named. */
  orders: OrderRow[]
  /** The value of `after` for the next page; absent on the last one. */
  next?: string | undefined
}

/** An order in a list. */
export interface OrderRow {
  reference: string
  merchant: string
  /** The status in words. */
  state: Pick<Situation, 'name' | 'tone'>
  /** In coins with the ticker; several ways to pay are separated by `or`. */
  price: string
  createdAtMs?: number | undefined
}

/** Response of `GET api/overview?today=&month=`. */
export interface Overview {
  /** The newest payments that need an operator. */
  work: TransferRow[]
  /** The number of all of them, by state. */
  counts: WorkCount[]
  /** False when there may be more. */
  isComplete: boolean
  today: PeriodSums
  month: PeriodSums
  /** Handlers that cannot run, and a watcher that does not read the chain, in sentences. */
  problems: string[]
  /** Absent without a watcher in the process. */
  chain?: ChainAge | undefined
}

/** Payments in one state. */
export interface WorkCount extends Pick<Situation, 'name' | 'tone'> {
  count: number
}

/** Money of a period. */
export interface PeriodSums {
  /** Money that arrived, in coins with the ticker. */
  coins: SumOfPeriod[]
  /** Prices of paid orders, in the shop's currencies. */
  prices: SumOfPeriod[]
  /** Paid orders without a price in a currency. */
  unpriced: number
}

/** A sum. */
export interface SumOfPeriod {
  amount: string
  /** The number of payments or orders. */
  count: number
}

/** Ages in words, for example `5 minutes`. */
export interface ChainAge {
  /** Time since the last successful look; absent before the first one. */
  lastLook?: string | undefined
  /** Age of the newest block up to which everything is known. */
  newestBlock?: string | undefined
}

/** Response of `GET api/books`; with `?start=yes` a comparison begins. */
export interface DeskBooks {
  /** False without a client of API v3, and without wallets of Payments. */
  canCompare: boolean
  isRunning: boolean
  /** Absent before the first comparison of this process. */
  comparedAtMs?: number | undefined
  problem?: string | undefined
  wallets: BooksOfWallet[]
}

/** Ledger and chain of one wallet. */
export interface BooksOfWallet {
  /** A friendly address. */
  wallet: string
  coins: BooksOfCoin[]
  /** Differences, in sentences. */
  alarms: string[]
  /** False while the index does not have everything. */
  isComplete: boolean
}

/** Sums of one coin, with the ticker. */
export interface BooksOfCoin {
  /** `'TON'` or the jetton master in canonical format. */
  asset: string
  credited: string
  refunded: string
  /** Other money that arrived, and that was sent. */
  otherIn: string
  otherOut: string
  balance?: string | undefined
}

/** Response of `GET api/health`. */
export interface DeskHealth {
  status: 'up' | 'degraded' | 'down'
  /** `PaymentsHealth` of @tonplug/core. */
  payments: unknown
  /** `WatcherHealth` of @tonplug/core. */
  watcher?: unknown
  checks: HealthCheck[]
  /** Sampled every 15 seconds since the process started; at most 240 points, oldest first. */
  series: HealthSeries[]
}

/** One part of the health. */
export interface HealthCheck {
  name: string
  status: 'up' | 'degraded' | 'down'
  detail?: string | undefined
}

/** A value over time. */
export interface HealthSeries {
  name: 'waiting payments' | 'waiting tasks' | 'failed tasks' | 'seconds behind the chain'
  points: [timeMs: number, value: number][]
}

/** Bodies of the POST requests. */
export interface ActionRequests {
  reprocess: { reportId: string; reason?: string | undefined }
  /** Without `handler`: every dead handler of the report. */
  retry: { reportId: string; handler?: string | undefined; reason?: string | undefined }
  /** One payment, or everything that arrived for an order. A reason is required. */
  accept: ({ reportId: string } | { reference: string; merchant: string }) & { reason: string }
  assign: {
    transactionHash: string
    reference: string
    merchant: string
    reason?: string | undefined
  }
  refund: {
    transactionHash: string
    merchant: string
    /** Also returns a jetton that no order asks for. */
    anyJetton?: 'yes' | undefined
    reason?: string | undefined
  }
  look: Record<string, never>
}

/** Response of a POST with status 200. */
export interface ActionResult {
  /** For the operator. */
  message: string
  /** False when the action was carried out and did not achieve its aim; `reason` says why. */
  isSuccess: boolean
  /** State of a refund: `proposed`, `needs_confirmation`, `waiting`, `sent`, `refunded` or `rejected`. */
  state?: string | undefined
  reason?: string | undefined
}

/** A refund to sign once, with the wallet that was paid. */
export interface RefundToSign {
  /** The report of the refund. */
  reportId: string
  /** The wallet that must sign, a friendly address. */
  wallet: string
  /** Opens a wallet app, also as a QR code; absent for a jetton. */
  link?: string | undefined
  /** A request of TON Connect. */
  request: TonConnectMessages
  validUntilMs: number
  /** Present when a wallet has got the request of a jetton's refund, and has not declined it. */
  signing?: RefundSigning | undefined
}

/** A request that an operator has handed to a wallet. */
export interface RefundSigning {
  id: string
  by: string
  sinceMs: number
}

/** Response of `POST api/signing`: of `{ reportId }` before a request is handed to a wallet, of `{ reportId, id }` after it declined. */
export interface SigningResult {
  /** The wallet may get the request. */
  id?: string | undefined
  /** Why it may not. */
  problem?: string | undefined
}

/** Response with another status than 200. */
export interface DeskError {
  /** `CSRF`: fetch the session again and repeat once. */
  code: 'CSRF' | 'FORBIDDEN' | 'NOT_FOUND' | 'INVALID' | 'TOO_LARGE' | 'FAILED'
  message: string
}
