/** Of the native coin. */
export const NATIVE_DECIMALS = 9

/**
 * Writes base units with decimals, as in `10.5`: no exponent, no zeros at the end.
 * @param rawAmount zero or more
 */
export function toDecimal(rawAmount: bigint, decimals: number): string {
  const digits = rawAmount.toString().padStart(decimals + 1, '0')
  const split = digits.length - decimals
  const fraction = digits.slice(split).replace(/0+$/, '')
  return fraction === '' ? digits.slice(0, split) : `${digits.slice(0, split)}.${fraction}`
}

/**
 * Whether whoever reads this decimal into a `number`, as the gateway does, still has all of its digits. 15 always fit;
 * of longer amounts most do not. Only the question is put to a `number`: the amount itself never becomes one.
 */
export function fitsNumber(decimal: string): boolean {
  const [kept = ''] = Number(decimal).toExponential().split('e')
  return significant(kept) === significant(decimal)
}

function significant(decimal: string): string {
  return decimal.replace('.', '').replace(/^0+|0+$/g, '')
}
