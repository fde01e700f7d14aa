import { isTonplugError, toUnits } from '@tonplug/core'
import type { Coin, Coins } from './coins.js'

/** An amount as support writes it, in coins. */
export interface TypedAmount {
  /** Decimal digits with a point, for example `6.50`. */
  value: string
  /** The name of the coin as typed; absent without one. */
  ticker?: string | undefined
}

const AMOUNT = /^(\d{1,80}(?:[.,]\d{1,80})?)\s*(\p{L}[\p{L}\p{N}₮$.-]{0,19})?$/u

/** Parses an amount such as `6,5`, `6.50` or `6.50 TON`; `undefined` for any other text. */
export function parseAmount(text: string): TypedAmount | undefined {
  const [, value, ticker] = AMOUNT.exec(text.trim()) ?? []
  return value === undefined ? undefined : { value: value.replace(',', '.'), ticker }
}

/** Returns base units of a coin; `undefined` for a coin without decimals, and for more digits than it has. */
export function unitsOf({ value }: TypedAmount, { decimals }: Coin): bigint | undefined {
  if (decimals === undefined) return undefined
  try {
    return toUnits(value.replace(/^0+(?=\d)/, ''), decimals)
  } catch (error) {
    if (isTonplugError(error)) return undefined
    throw error
  }
}

/** Returns the coins with a ticker, without regard to case. */
export function coinsNamed(ticker: string, { known }: Coins): Coin[] {
  return known.filter((coin) => coin.ticker?.toLowerCase() === ticker.toLowerCase())
}
