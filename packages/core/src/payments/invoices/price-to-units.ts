import { parseDecimal, power } from '../../shared/decimal.js'
import { AmountError, MAX_DECIMALS } from '../../shared/units.js'

/**
 * Converts a price in a currency to base units of an asset: price × 10^decimals ÷ price of one coin, rounded up to the next
 * base unit. All digits count; there is no floating point.
 * @param price for example `'12.50'`
 * @param rate.coinPrice the price of one whole coin in the same currency, for example `'5.23'`
 * @param rate.decimals the decimals of the asset: 9 for the native coin, 6 for USDT
 * @throws {AmountError} (`ERR_TONPLUG_AMOUNT`) unless both prices are positive decimal strings.
 * @example
 * ```ts
 * import { priceToUnits } from '@tonplug/core'
 *
 * console.log(priceToUnits('12.50', { coinPrice: '5.23', decimals: 9 })) // 2390057362n
 * ```
 */
export function priceToUnits(
  price: string,
  { coinPrice, decimals }: { coinPrice: string; decimals: number },
): bigint {
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > MAX_DECIMALS) {
    throw new AmountError({
      input: decimals,
      expected: `converted with 0 to ${MAX_DECIMALS} decimals`,
    })
  }
  const total = positive(price)
  const coin = positive(coinPrice)
  const dividend = total.digits * power(coin.scale + decimals)
  const divisor = coin.digits * power(total.scale)
  return (dividend + divisor - 1n) / divisor
}

function positive(text: string) {
  const decimal = parseDecimal(text)
  if (decimal !== undefined && decimal.digits > 0n) return decimal
  throw new AmountError({ input: text, expected: "a price above 0, for example '12.50'" })
}
