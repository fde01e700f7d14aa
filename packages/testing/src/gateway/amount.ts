const DECIMAL = /^(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/

/**
 * Reads an amount in whole coins as base units: `10.5` with nine decimals is `10500000000n`. Exponents are read as
 * JSON has them, since JavaScript writes small numbers so.
 * @returns `undefined` when it is no such number, or has more decimals than the asset.
 */
export function parseAmount(text: string, decimals: number): bigint | undefined {
  const match = DECIMAL.exec(text)
  if (match === null) return undefined
  const [, whole = '', fraction = '', exponent = '0'] = match
  const digits = BigInt(whole + fraction)
  const shift = decimals + Number(exponent) - fraction.length
  if (shift >= 0) return digits * 10n ** BigInt(shift)
  const divisor = 10n ** BigInt(-shift)
  return digits % divisor === 0n ? digits / divisor : undefined
}

/** Writes base units as an amount in whole coins: `10500000000n` with nine decimals is `10.5`. */
export function formatAmount(rawAmount: bigint, decimals: number): string {
  const digits = rawAmount.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}
