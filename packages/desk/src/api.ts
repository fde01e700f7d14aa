/** The JSON interface between the desk's server and its pages. Amounts are base units in decimal digits; times are milliseconds since the Unix epoch. */

/** Something that an operator may do. */
export type DeskAction = 'redecide' | 'retry' | 'attach' | 'refund' | 'look'

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
}

/** A list of transfers. `open`: not decided yet, or waiting for an order or a proof. */
export type TransferGroup =
  'all' | 'open' | 'unmatched' | 'mismatched' | 'unverified' | 'unreadable' | 'dead'

/** Response of `GET api/transfers?group=&search=&before=&limit=`. */
export interface TransferPage {
  /** Newest first. */
  transfers: TransferRow[]
  /** The value of `before` for the next page; absent on the last one. */
  next?: string | undefined
}

/** A reported transfer. */
export interface TransferRow {
  reportId: string
  merchant: string
  /** `''` when it names no order, or is unreadable. */
  reference: string
  /** Lower-case hex where the hash is a hash; otherwise as reported; `''` when unreadable. */
  txHash: string
  /** The door that reported it. */
  source: string
  receivedAtMs: number
  state: 'undecided' | 'parked' | 'decided' | 'unreadable'
  /** The kind of its decision. */
  decision?: string | undefined
  /** The work of an operator, as in `payments.list`. */
  action: 'none' | 'wait' | 'attach' | 'refund' | 'check'
  amount?: string | undefined
  asset?: string | undefined
  ticker?: string | undefined
  decimals?: number | undefined
  senderAddr?: string | undefined
  hasDeadHandler: boolean
}

/** Response of `GET api/payment?reference=&merchant=` and of `GET api/payment?reportId=`. */
export interface PaymentStory {
  /** Absent for a transfer without a known order. */
  order?: StoryOrder | undefined
  /** Newest first. */
  reports: StoryReport[]
  /** Actions of operators about these reports, newest first. */
  audit: AuditRecord[]
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
  /** Who attached it or asked for its refund, and why. */
  by?: string | undefined
  note?: string | undefined
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
  action: DeskAction
  by: string
  note?: string | undefined
  atMs: number
  reportId?: string | undefined
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
  name: 'waiting reports' | 'waiting handlers' | 'dead handlers' | 'cursor lag (s)'
  points: [timeMs: number, value: number][]
}

/** Bodies of the POST requests. */
export interface ActionRequests {
  redecide: { reportId: string; note?: string | undefined }
  /** Without `handler`: every dead handler of the report. */
  retry: { reportId: string; handler?: string | undefined; note?: string | undefined }
  attach: {
    transactionHash: string
    reference: string
    merchant: string
    note?: string | undefined
  }
  refund: {
    transactionHash: string
    merchant: string
    /** Also returns a jetton that no order asks for. */
    anyJetton?: 'yes' | undefined
    note?: string | undefined
  }
  look: Record<string, never>
}

/** Response of a POST with status 200. */
export interface ActionResult {
  /** For the operator. */
  message: string
  /** State of a refund: `proposed`, `needs_confirmation`, `waiting`, `sent`, `refunded` or `rejected`. */
  state?: string | undefined
  /** A request of TON Connect for the wallet that was paid, of a proposed refund. */
  request?: unknown
  reason?: string | undefined
}

/** Response with another status than 200. */
export interface DeskError {
  /** `CSRF`: fetch the session again and repeat once. */
  code: 'CSRF' | 'FORBIDDEN' | 'NOT_FOUND' | 'INVALID' | 'TOO_LARGE' | 'FAILED'
  message: string
}
