/** Something that happens to a simulated shop. Times are milliseconds since its start. */
export type ShopEvent =
  | {
      kind: 'order'
      atMs: number
      reference: string
      /** Base units, in decimal digits. */
      rawAmount: string
      /** True for an order with the hash of its message's body, as the gateway's orders have it. */
      isBound: boolean
    }
  | {
      kind: 'pay'
      atMs: number
      /** Names the payment in other events. It has a payer of its own. */
      payment: string
      /** The comment of the message; usually the reference of an order. */
      reference: string
      rawAmount: string
      /** Equal payments in one trace. */
      times: number
      /** Time after which the index shows it. */
      lagMs: number
    }
  | {
      kind: 'webhook'
      atMs: number
      payment: string
      process: number
      /** The transaction that it names: the payer's, or that of a payment. */
      names: 'trace' | 'first' | 'last'
    }
  | { kind: 'cancel' | 'expire'; atMs: number; reference: string }
  | { kind: 'refund'; atMs: number; payment: string; names: 'trace' | 'first' | 'last' }
  | {
      kind: 'assign'
      atMs: number
      payment: string
      names: 'trace' | 'first' | 'last'
      reference: string
    }
  | { kind: 'reprocess'; atMs: number; reference: string }
  | { kind: 'kill'; atMs: number; process: number; downMs: number }
  | { kind: 'index'; atMs: number; downMs: number }
  | {
      kind: 'fault'
      /** The first call from this time on fails. */
      atMs: number
      process: number
      /** For example `inbox.reports.decide`. */
      port: string
      /** `stall` delays the effect by 20 s. The others fail the call, or kill the process, before or after the effect. */
      moment: 'before' | 'after' | 'stall' | 'kill-before' | 'kill-after'
    }

/** An event of one kind. */
export type EventOf<Kind extends ShopEvent['kind']> = Extract<ShopEvent, { kind: Kind }>
