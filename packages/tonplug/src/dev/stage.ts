import type { DeliverOptions, DeliveryReport, GatewayStandIn } from '@tonplug/testing'

/** What can be paid with. */
export interface StageAsset {
  /** `'TON'` or the jetton master. */
  asset: string
  ticker: string
  decimals: number
}

/** A wallet and what it holds. */
export interface StageWallet {
  name: string
  address: string
  /** Whole coins, in decimal digits. */
  balances: { ticker: string; amount: string }[]
}

/** How a transfer is paid. What is left out is as it was asked for. */
export interface StagePayment {
  /** Base units. */
  rawAmount?: bigint | undefined
  /** By how many transactions. */
  times: number
  /** Whether it goes to a wallet that is not the recipient's. */
  isMisdirected: boolean
  /** How the webhook goes out; `'none'` where the payment is never told of. */
  delivery: DeliverOptions | 'none'
}

/** Where transfers are paid: the gateway alone, or with a chain or a network under it. */
export interface Stage {
  gateway: GatewayStandIn
  /** What `@ton-pay/api` wants as `TONPAY_BASE_URL`. */
  gatewayUrl: string
  /** The base URL for clients of API v2 and v3; absent without a chain. */
  chainUrl?: string | undefined
  merchant: string
  buyer: string
  assets: readonly StageAsset[]
  /** Whether a network's wallets pay, and nobody here can. */
  isNetwork: boolean
  /** None without a simulated chain. */
  wallets(): Promise<StageWallet[]>
  /** @returns what became of the webhooks, for each of the transactions, once they are delivered, or given up. */
  pay(reference: string, payment: StagePayment): Promise<DeliveryReport[]>
  /** Has a payment fail. */
  fail(reference: string, delivery: DeliverOptions): Promise<DeliveryReport[]>
  close(): Promise<void>
}
