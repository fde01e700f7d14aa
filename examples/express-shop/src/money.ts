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
  const digits = rawAmount.toString().padStart(currency.decimals + 1, '0')
  const whole = digits.slice(0, -currency.decimals)
  const fraction = digits.slice(-currency.decimals).replace(/0+$/, '')
  return `${fraction === '' ? whole : `${whole}.${fraction}`} ${currency.ticker}`
}
