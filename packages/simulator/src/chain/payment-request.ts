/** A request for payment, as JSON: the argument of `sendTransaction` of TON Connect, with `messages` or `items`. */
export interface PaymentRequest {
  /** Unix seconds. */
  validUntil?: number | undefined
  /** The payer's wallet, in any format. */
  from?: string | undefined
  messages?: readonly PaymentMessage[] | undefined
  items?: readonly PaymentItem[] | undefined
}

/** A message of a {@link PaymentRequest}. */
export interface PaymentMessage {
  /** A friendly address. */
  address: string
  /** Nanocoins, in decimal digits. */
  amount: string
  /** The body: a bag of cells in base64. */
  payload?: string | undefined
}

/** A transfer that the wallet app builds itself. */
export type PaymentItem =
  | ({ type: 'ton' } & PaymentMessage)
  | {
      type: 'jetton'
      /** The friendly address of the jetton master. */
      master: string
      destination: string
      /** Base units, in decimal digits. */
      amount: string
      responseDestination?: string | undefined
      /** Nanocoins, in decimal digits. @default '1' */
      forwardAmount?: string | undefined
      /** A bag of cells in base64. */
      forwardPayload?: string | undefined
    }
