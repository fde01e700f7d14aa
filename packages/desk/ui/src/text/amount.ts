/** Formats base units as whole coins, in decimal digits without trailing zeros. */
function formatUnits(units: string, decimals: number): string {
  if (!/^\d+$/.test(units)) return units
  const digits = units.padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}

/** An amount in base units and what is known about its asset. */
export interface ShownAmount {
  amount?: string | undefined
  ticker?: string | undefined
  decimals?: number | undefined
}

/** Formats an amount with its ticker; an unknown coin has no name or no number. */
export function formatAmount({ amount, ticker, decimals }: ShownAmount): string {
  if (amount === undefined) return 'unknown'
  if (decimals === undefined) return `an amount of ${ticker ?? 'an unknown coin'}`
  return `${formatUnits(amount, decimals)} ${ticker ?? 'of an unknown coin'}`
}
