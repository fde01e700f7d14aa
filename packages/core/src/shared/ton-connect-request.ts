/** A message for the payer's wallet, in the format of TON Connect. */
export interface PayerMessage {
  /** A friendly address. */
  address: string
  /** Nanocoins, in decimal digits. */
  amount: string
  /** The body: a bag of cells in base64. */
  payload: string
}

/** A transfer that the payer's wallet builds itself, in the format of TON Connect. */
export type TonConnectItem =
  | ({ type: 'ton' } & PayerMessage)
  | {
      type: 'jetton'
      /** The friendly address of the jetton master. */
      master: string
      /** The friendly address of the recipient. */
      destination: string
      /** Base units, in decimal digits. */
      amount: string
      /** A friendly address. */
      responseDestination?: string
      /** The comment: a bag of one cell in base64. */
      forwardPayload: string
    }

/** A request with messages, which every wallet supports. */
export interface TonConnectMessages {
  /** Unix seconds, at most five minutes ahead. */
  validUntil: number
  /** `-239` is mainnet, `-3` is testnet; absent for a gateway at its own `baseUrl`. */
  network?: '-239' | '-3' | undefined
  /** The payer's wallet, a raw address. */
  from: string
  messages: PayerMessage[]
}

/** A request with structured items, for wallets that declare `itemTypes`. */
export interface TonConnectItems {
  /** Unix seconds, at most five minutes ahead. */
  validUntil: number
  /** `-239` is mainnet, `-3` is testnet; absent for a gateway at its own `baseUrl`. */
  network?: '-239' | '-3' | undefined
  /** The only wallet that can pay, a raw address; absent when any wallet can. */
  from?: string
  items: TonConnectItem[]
}

/** A request whose `validUntil` is set when the buyer clicks, by the time of the server. */
export type UnstampedItems = Omit<TonConnectItems, 'validUntil'>
