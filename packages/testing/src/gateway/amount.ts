const DECIMAL = /^(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/

/**
 * Converts an amount in whole coins to base units: `10.5` with nine decimals is `10500000000n`. Accepts the exponents of
 * JSON, which JavaScript uses for small numbers.
 * @returns `undefined` when it is invalid or has more decimals than the asset.
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
