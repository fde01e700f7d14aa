const BASE_UNITS = /^(?:0|[1-9]\d{0,79})$/

/**
 * Parses an amount in base units: decimal digits only, no sign, no leading zero, at most 80 digits.
 * @returns `undefined` for any other string.
 */
export function parseBaseUnits(text: string): bigint | undefined {
  return BASE_UNITS.test(text) ? BigInt(text) : undefined
}
