import { formatUnits } from '@tonplug/core'

/** The currency of an amount. */
export interface Currency {
  /** `'TON'`, or the address of the jetton master. */
  asset: string
  ticker: string
  /** Decimal places of the base unit. */
  decimals: number
}

/** Formats base units: `10500000000n` in TON is `'10.5 TON'`. */
export function formatAmount(rawAmount: bigint, currency: Currency): string {
  return `${formatUnits(rawAmount, currency.decimals)} ${currency.ticker}`
}
