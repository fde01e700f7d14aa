import type { DeliverOptions, DeliveryReport, MockGateway } from '@tonplug/testing'
import type { BackendWallet } from './backend-wallet.js'
import type { OpenedChain } from './chain/dev-chain.js'

/** An asset of payments. */
export interface BackendAsset {
  /** `'TON'` or the jetton master. */
  asset: string
  ticker: string
  decimals: number
}

/** Options of a payment; omitted fields are as in the transfer. */
export interface BackendPayment {
  /** Base units. */
  rawAmount?: bigint | undefined
  /** Number of transactions. */
  times: number
  /** True for a payment to another wallet than the recipient's. */
  isMisdirected: boolean
  /** Faults of the delivery; `'none'` when the payment is never reported. */
  delivery: DeliverOptions | 'none'
}

/** The environment of the transfers: a mock gateway alone, on a simulated chain, or on a network. */
export interface PaymentBackend {
  gateway: MockGateway
  /** What `@ton-pay/api` wants as `TONPAY_BASE_URL`. */
  gatewayUrl: string
  /** The simulated chain, where there is one. */
  opened?: OpenedChain | undefined
  /** Base URL for clients of API v2 and v3; absent without a chain. */
  chainUrl?: string | undefined
  merchant: string
  buyer: string
  assets: readonly BackendAsset[]
  /** True on a network, where only real wallets pay. */
  isNetwork: boolean
  /** Returns the wallets of a simulated chain. */
  wallets(): Promise<BackendWallet[]>
  /** Pays a transfer. @returns the result of each webhook delivery. */
  pay(reference: string, payment: BackendPayment): Promise<DeliveryReport[]>
  /** Fails the payment of a transfer. */
  fail(reference: string, delivery: DeliverOptions): Promise<DeliveryReport[]>
  close(): Promise<void>
}
