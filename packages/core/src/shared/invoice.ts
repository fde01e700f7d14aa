import { toPayable, type Payable, type PayableFacts, type PayableJson } from './payable.js'
import { withJson } from './with-json.js'

/** A request for payment. `response.json(invoice)` sends {@link Invoice.toJSON}. */
export interface Invoice extends Payable {
  /** The order, to be stored before the payer sees the invoice. */
  readonly order: {
    reference: string
    /** Base units. */
    rawAmount: bigint
    /** `'TON'`, or the jetton master as `workchain:hash`. */
    asset: string
    status: 'pending'
    /** The wallet to pay to; absent where the gateway chose it. */
    recipient?: string | undefined
    /** The hash of the body of the payer's message, where that body belongs to this order alone. */
    bodyBase64Hash?: string | undefined
    createdAt: Date
  }
  /** Returns the fields for a checkout page. */
  readonly toJSON: () => PayableJson & { reference: string; recipient?: string | undefined }
}

/** Creates the invoice of an order. */
export function toInvoice({
  order,
  ...facts
}: Omit<PayableFacts, 'asset' | 'rawAmount'> & { order: Invoice['order'] }): Invoice {
  const { reference, asset, rawAmount, recipient } = order
  const { toJSON, ...payable } = toPayable({ ...facts, asset, rawAmount })
  return {
    order: withJson(order),
    ...payable,
    toJSON: () => ({ reference, ...toJSON(), recipient }),
  }
}
