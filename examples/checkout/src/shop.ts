import type { PaidTransfer } from '@tonplug/core'
import type { Stream, TransportOptions } from '@tonplug/core/toncenter'
import type { Queryable } from '@tonplug/postgres'

/** The price of a postcard in one coin. */
export interface Price {
  /** `'TON'`, or the address of the jetton master. */
  asset: string
  /** Whole coins, for example `'0.25'`. */
  amount: string
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
  /** The price in each coin, by the name of the coin. */
  prices: ReadonlyMap<string, Price>
  /** True when the test wallet of the chain replaces the buyer's phone. */
  isSimulated: boolean
  /** Ships a paid order. Runs again after an error, with the same order. */
  onPaid: (paid: Pick<PaidTransfer, 'order'>) => void
}

/** A server of the shop. */
export interface ShopServer {
  /** Listens on the loopback interface; 0 selects a free port. @returns the URL */
  listen(port: number): Promise<string>
  close(): Promise<void>
}

const TIME_TO_PAY_MS = 15 * 60_000

/** Returns the time until which an order can be paid. */
export function expiryOf(createdAt = new Date()): Date {
  return new Date(createdAt.getTime() + TIME_TO_PAY_MS)
}
