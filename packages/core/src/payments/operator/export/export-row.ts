/**
 * A row of the books. Every field is a string, `''` when it is unknown. Amounts are unsigned.
 * @see EXPORT_COLUMNS for the order of the columns
 */
export interface ExportRow {
  /** ISO 8601, UTC: the block; of a refund without a client of API v3, when an operator opened it. */
  time: string
  /**
   * - `credit`: payments.
   * - `refund`: refunds that the wallets have sent; without a client of API v3, refunds that operators have opened.
   * - `refund_fee`: fees of a transaction that sends refunds, and coins that it attaches to a refund of jettons; most of them
   *   come back. Only with a client of API v3.
   * - `outgoing`: other transfers of the wallets. Only with a client of API v3.
   */
  type: 'credit' | 'refund' | 'refund_fee' | 'outgoing'
  direction: 'in' | 'out'
  /** Whole coins; `''` for a jetton whose decimals are unknown. */
  amount: string
  /** `'TON'` or the jetton master as `workchain:hash`. */
  asset: string
  /** Base units. */
  raw_amount: string
  /** The order that the money has paid; otherwise the order that it names. */
  reference: string
  merchant: string
  /** Status of the order. Of a refund with a client of API v3: `sent` or `refunded`; otherwise `opened`. */
  status: string
  /** The kind of the decision, for example `paid`. */
  decision: string
  /** Price of one coin in the currency, as stored with the offer. */
  rate: string
  /** Price of the order in the currency. */
  price: string
  currency: string
  /** Friendly addresses. */
  sender: string
  recipient: string
  /** Lower-case hex. Of a refund that was sent: the transaction that sent it; otherwise the transaction of its credit. */
  transaction: string
  comment: string
  /** Who assigned or accepted the money, or opened the refund, and why. */
  operator: string
  reason: string
}

/** The columns of an export, in this order. They do not change. */
export const EXPORT_COLUMNS = [
  'time',
  'type',
  'direction',
  'amount',
  'asset',
  'raw_amount',
  'reference',
  'merchant',
  'status',
  'decision',
  'rate',
  'price',
  'currency',
  'sender',
  'recipient',
  'transaction',
  'comment',
  'operator',
  'reason',
] as const satisfies readonly (keyof ExportRow)[]
