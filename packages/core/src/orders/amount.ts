import { NATIVE_ASSET } from './asset.js'

const BASE_UNITS = /^(?:0|[1-9]\d{0,79})$/
const DECIMAL = /^(\d{1,80})(?:\.(\d{1,80}))?$/
const NATIVE_DECIMALS = 9

/**
 * Reads an amount in base units: decimal digits alone, no sign, no leading zero, at most 80 digits.
 * @returns `undefined` for any other text.
 */
export function parseBaseUnits(text: string): bigint | undefined {
  return BASE_UNITS.test(text) ? BigInt(text) : undefined
}

/**
 * Whether the human-readable amount can be `rawAmount` written with decimals: nine of them for the native coin,
 * any number for a jetton, whose decimals the payload does not carry.
 */
export function amountsAgree(amount: string, rawAmount: bigint, asset: string): boolean {
  const match = DECIMAL.exec(amount)
  if (match === null) return false
  const fraction = match[2] ?? ''
  const digits = BigInt((match[1] ?? '') + fraction)
  if (asset === NATIVE_ASSET) {
    return digits * 10n ** BigInt(NATIVE_DECIMALS) === rawAmount * 10n ** BigInt(fraction.length)
  }
  const scaled = rawAmount * 10n ** BigInt(fraction.length)
  return scaled >= digits && withoutTrailingZeros(scaled) === withoutTrailingZeros(digits)
}

function withoutTrailingZeros(value: bigint): string {
  return value === 0n ? '' : value.toString().replace(/0+$/, '')
}
