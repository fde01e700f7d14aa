/** Writes base units as whole coins: `10500000000n` with nine decimals is `10.5`. */
export function wholeCoins(rawAmount: bigint, decimals: number): string {
  const digits = rawAmount.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}

/** Parses whole coins as base units. @returns `undefined` when the number is invalid or has too many decimals. */
export function baseUnits(text: string, decimals: number): bigint | undefined {
  const [, whole, fraction = ''] = /^(\d{1,30})(?:\.(\d{1,30}))?$/.exec(text) ?? []
  if (whole === undefined || fraction.length > decimals) return undefined
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}
