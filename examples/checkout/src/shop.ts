import type { AmountsPolicy, PaidTransfer, Rates } from '@tonplug/core'
import type { Stream, TransportOptions } from '@tonplug/core/toncenter'
import type { Queryable } from '@tonplug/postgres'

/** A coin in which orders can be paid. */
export interface Coin {
  /** For the page, for example `'USD₮'`. */
  name: string
  /** `'TON'`, or the address of the jetton master. */
  asset: string
  decimals: number
}

/** Settings of both servers. */
export interface ShopSettings {
  db: Queryable
  /** The wallet that is paid. */
  wallet: string
  /** The API of the chain. */
  chain: Pick<TransportOptions, 'network' | 'baseUrl' | 'apiKey' | 'rps'>
  /** The stream of the chain. A key that allows no stream is enough: the watcher then polls. */
  stream: Stream
  /** At least one. */
  coins: readonly Coin[]
  /** The price of an order, with an offer in each coin. */
  pricing: Pricing
  /** The page of a transaction is this URL, followed by the hash. */
  explorer: string
  /** True when the test wallet of the chain replaces the buyer's phone. */
  isSimulated: boolean
  terms: ShopTerms
  /** Receives the decision about each payment: the page of `tonplug dev`. @default none */
  decisionsUrl?: string | undefined
}

/** The price of an order. */
export interface Pricing {
  /** A decimal string. */
  price: string
  currency: string
  /** The assets in which it may be paid. */
  accept: string[]
  decimals: Record<string, number>
  rates: Rates
  lockMs: number
}

/** The amounts that complete an order, and what happens then. */
export interface ShopTerms {
  amounts: AmountsPolicy
  /** Ships a paid order. Runs again after an error, with the same order. */
  onPaid: (paid: Pick<PaidTransfer, 'order'>) => void
}

/** A server of the shop. */
export interface ShopServer {
  /** Listens on the loopback interface; 0 selects a free port. @returns the URL */
  listen(port: number): Promise<string>
  close(): Promise<void>
}

const PRICE = { price: '0.75', currency: 'USD' }
/** A buyer who has paid a part may pay the rest. */
export const ADD_UP: AmountsPolicy = { partial: 'add-up' }
const TIME_TO_PAY_MS = 15 * 60_000

/** Returns the price of a postcard in the coins. */
export function pricingIn(coins: readonly Coin[]): Pricing {
  return {
    ...PRICE,
    accept: coins.map(({ asset }) => asset),
    decimals: Object.fromEntries(coins.map(({ asset, decimals }) => [asset, decimals])),
    rates,
    lockMs: TIME_TO_PAY_MS,
  }
}

/** The table of prices of this example. A real shop asks a source: see docs/guide/prices-in-your-currency.md. */
const rates: Rates = (asset) => ({ price: asset === 'TON' ? '3.00' : '1.00', at: new Date() })

/** Returns the time until which an order can be paid. */
export function expiryOf(createdAt = new Date()): Date {
  return new Date(createdAt.getTime() + TIME_TO_PAY_MS)
}

/** @param usdt the jetton master of USD₮, where the network has one */
export function coinsWith(usdt: string | undefined): Coin[] {
  const ton = { name: 'TON', asset: 'TON', decimals: 9 }
  return usdt === undefined ? [ton] : [ton, { name: 'USD₮', asset: usdt, decimals: 6 }]
}
