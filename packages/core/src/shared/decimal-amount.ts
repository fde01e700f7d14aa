/** Decimals of the native coin. */
export const NATIVE_DECIMALS = 9

/**
 * Formats base units as a decimal, for example `10.5`: no exponent, no trailing zeros.
 * @param rawAmount zero or more
 */
export function toDecimal(rawAmount: bigint, decimals: number): string {
  const digits = rawAmount.toString().padStart(decimals + 1, '0')
  const split = digits.length - decimals
  const fraction = digits.slice(split).replace(/0+$/, '')
  return fraction === '' ? digits.slice(0, split) : `${digits.slice(0, split)}.${fraction}`
}

/**
 * Returns true when a decimal keeps all its digits as a `number`, which the gateway parses it into: up to 15 digits always
 * do, most longer ones do not.
 */
export function fitsNumber(decimal: string): boolean {
  const [kept = ''] = Number(decimal).toExponential().split('e')
  return significant(kept) === significant(decimal)
}

function significant(decimal: string): string {
  return decimal.replace('.', '').replace(/^0+|0+$/g, '')
}
