/** A decimal number: `digits` divided by 10 to the power of `scale`. */
export interface Decimal {
  digits: bigint
  scale: number
}

const DECIMAL = /^(0|[1-9]\d{0,79})(?:\.(\d{1,80}))?$/

/**
 * Parses decimal digits with at most one point between digits; at most 80 digits on each side. There is no sign, exponent,
 * space or leading zero.
 * @returns `undefined` for any other value.
 */
export function parseDecimal(text: unknown): Decimal | undefined {
  const [, whole, fraction = ''] = (typeof text === 'string' ? DECIMAL.exec(text) : null) ?? []
  return whole === undefined
    ? undefined
    : { digits: BigInt(whole + fraction), scale: fraction.length }
}

/** Returns a negative number, zero or a positive number, as one decimal is less than, equal to or more than the other. */
export function compareDecimals(one: Decimal, other: Decimal): number {
  const difference = one.digits * power(other.scale) - other.digits * power(one.scale)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

/** Returns 10 to the power of an exponent. */
export function power(exponent: number): bigint {
  return 10n ** BigInt(exponent)
}
