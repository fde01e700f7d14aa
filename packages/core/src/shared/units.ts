import { TonplugError } from './tonplug-error.js'

/** Decimals of the native coin. */
export const NATIVE_DECIMALS = 9
/** The most decimals of a jetton: its metadata has one byte for them. Source: TEP-64. */
export const MAX_DECIMALS = 255

const LONGEST_INPUT = 100

const BASE_UNITS = /^(?:0|[1-9]\d{0,79})$/
const WHOLE_COINS = /^(0|[1-9]\d{0,79})(?:\.(\d+))?$/

/** A string is not an amount in whole coins, or a number is not a number of decimals. */
export class AmountError extends TonplugError<{ input: string }> {
  override readonly name = 'AmountError'
  readonly code = 'ERR_TONPLUG_AMOUNT'

  constructor({ input, expected }: { input: unknown; expected: string }) {
    const received = (JSON.stringify(input, digitsOf) ?? String(input)).slice(0, LONGEST_INPUT)
    super({
      message: `an amount must be ${expected}; received ${received}`,
      details: { input: received },
    })
  }
}

/**
 * Converts whole coins to base units, to the digit. Accepts decimal digits with at most one point between digits, at most 80
 * digits before it and `decimals` after it. There is no sign, exponent, space, separator or leading zero.
 * @param decimals the decimals of the asset: 9 for the native coin, 6 for USDT
 * @throws {AmountError} (`ERR_TONPLUG_AMOUNT`) for any other string.
 * @example
 * ```ts
 * import { toUnits } from '@tonplug/core'
 *
 * console.log(toUnits('10.5', 9)) // 10500000000n
 * ```
 */
export function toUnits(amount: string, decimals: number): bigint {
  checkDecimals(decimals)
  const match = typeof amount === 'string' ? WHOLE_COINS.exec(amount) : null
  const [, whole, fraction = ''] = match ?? []
  if (whole === undefined) {
    const expected = "whole coins as a string of decimal digits, for example '10.5'"
    throw new AmountError({ input: amount, expected })
  }
  if (fraction.length > decimals) {
    throw new AmountError({
      input: amount,
      expected: `whole coins with up to ${decimals} decimals`,
    })
  }
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}

/**
 * Converts base units to whole coins, to the digit: no exponent, no separator, no trailing zeros.
 * @param decimals the decimals of the asset: 9 for the native coin, 6 for USDT
 * @throws {AmountError} (`ERR_TONPLUG_AMOUNT`) unless `rawAmount` is a bigint.
 * @example
 * ```ts
 * import { formatUnits } from '@tonplug/core'
 *
 * console.log(formatUnits(10_500_000_000n, 9)) // 10.5
 * ```
 */
export function formatUnits(rawAmount: bigint, decimals: number): string {
  checkDecimals(decimals)
  if (typeof rawAmount !== 'bigint') {
    throw new AmountError({ input: rawAmount, expected: 'base units as a bigint' })
  }
  if (rawAmount < 0n) return `-${formatUnits(-rawAmount, decimals)}`
  const digits = rawAmount.toString().padStart(decimals + 1, '0')
  const split = digits.length - decimals
  const fraction = digits.slice(split).replace(/0+$/, '')
  return fraction === '' ? digits.slice(0, split) : `${digits.slice(0, split)}.${fraction}`
}

/**
 * Parses an amount in base units: decimal digits only, no sign, no leading zero, at most 80 digits.
 * @returns `undefined` for any other string.
 */
export function parseBaseUnits(text: string): bigint | undefined {
  return BASE_UNITS.test(text) ? BigInt(text) : undefined
}

function checkDecimals(decimals: number): void {
  if (Number.isInteger(decimals) && decimals >= 0 && decimals <= MAX_DECIMALS) return
  const expected = `converted with 0 to ${MAX_DECIMALS} decimals`
  throw new AmountError({ input: decimals, expected })
}

function digitsOf(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value
}
