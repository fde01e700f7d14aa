/** The shop and the merchant of an event. */
export interface ShopPlace {
  /** The name of the Payments. @default 'default' */
  shop?: string | undefined
  /** @default '' */
  merchant?: string | undefined
}

/**
 * A lie of the shop's own index about a payment, and of the gateway, which reads it: it invents the payment, shows twice the
 * amount, another sender, or `usdt` for another asset; or it withholds the payment.
 */
export type Lie = 'invented' | 'amount' | 'sender' | 'asset' | 'withheld'

/** Intervals that users configure. */
export interface WatchIntervals {
  minIntervalMs: number
  maxIntervalMs: number
  idlePollMs: number
}

/** Something that happens to a simulated shop. Times are milliseconds since its start. */
export type ShopEvent =
  | {
      /** Adds up the parts of a price, in all shops. */
      kind: 'add-up'
      atMs: 0
    }
  | {
      /** All shops ask two indexes for a proof: their own, which lies about payments with `lie`, and an honest one. */
      kind: 'two-sources'
      atMs: 0
    }
  | (WatchIntervals & {
      /** Sets the intervals of all processes. */
      kind: 'intervals'
      atMs: 0
    })
  | {
      /** All processes are suspended while nothing happens: from some minutes after an effect to some before the next event. */
      kind: 'suspend'
      atMs: 0
    }
  | (ShopPlace & {
      kind: 'order'
      atMs: number
      reference: string
      /** Base units, in decimal digits. */
      rawAmount: string
      /** True for an order with the hash of its message's body, as the gateway's orders have it. */
      isBound: boolean
      /** Base units of `usdt`, in decimal digits: the order has two offers. */
      usdtAmount?: string
      /** True for an order with a wallet of its own, which its merchant owns. */
      hasRecipient?: boolean
    })
  | {
      kind: 'pay'
      atMs: number
      /** Names the payment in other events. It has a payer of its own. */
      payment: string
      /** The comment of the message; usually the reference of an order. */
      reference: string
      rawAmount: string
      /** The native coin without it. No shop asks for `other`. */
      jetton?: 'usdt' | 'other'
      /** Equal payments in one trace. */
      times: number
      /** Time after which the index shows it. */
      lagMs: number
      /** The merchant whose own wallet receives it; without one, the wallet that all share. */
      owner?: string
      lie?: Lie
    }
  | (ShopPlace & {
      kind: 'webhook'
      atMs: number
      payment: string
      process: number
      /** The transaction that it names: the payer's, or that of a payment. */
      names: 'trace' | 'first' | 'last'
    })
  | (ShopPlace & { kind: 'cancel'; atMs: number; reference: string })
  | (ShopPlace & { kind: 'expire'; atMs: number; reference: string })
  | (ShopPlace & {
      kind: 'refund'
      atMs: number
      payment: string
      names: 'trace' | 'first' | 'last'
      /** True to return a jetton that no order asks for. */
      anyJetton?: boolean
      /** Time after which the wallet sends the proposal. @default 20_000 */
      sendsMs?: number
      /**
       * `never`: it is not signed. `late`: the wallet sends it although its time may be over. `returned`: the payer does not
       * accept it. Without it the wallet sends it in time, or not.
       */
      signed?: 'never' | 'late' | 'returned'
    })
  | (ShopPlace & {
      kind: 'assign'
      atMs: number
      payment: string
      names: 'trace' | 'first' | 'last'
      reference: string
    })
  | (ShopPlace & { kind: 'reprocess'; atMs: number; reference: string })
  | (ShopPlace & { kind: 'retry'; atMs: number; reference: string })
  | (ShopPlace & { kind: 'accept'; atMs: number; reference: string })
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

/** Returns a string that identifies an order among the orders of all shops and merchants. */
export function placeOf({ shop = 'default', merchant = '' }: ShopPlace, reference: string): string {
  return [shop, merchant, reference].filter((part) => part !== 'default' && part !== '').join('/')
}
