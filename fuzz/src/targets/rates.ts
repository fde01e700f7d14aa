import assert from 'node:assert/strict'
import { priceToUnits } from '../../../packages/core/src/payments/invoices/price-to-units.js'
import { RateError } from '../../../packages/core/src/payments/invoices/rate-error.js'
import {
  checkBounds,
  readRate,
  type Rate,
} from '../../../packages/core/src/payments/invoices/rates.js'
import { systemClock } from '../../../packages/core/src/shared/clock.js'
import { AmountError } from '../../../packages/core/src/shared/units.js'
import { documented, JSON_WORDS, jsonOf, nest, type Target, textOf, wrap } from '../target.js'

const PAIR = { asset: 'TON', currency: 'USD' }
const PRICE = '12.50'
const DECIMALS = 9
const BOUNDS = { min: '0.01', max: '100' }

/** Rates as the source of a shop returns them, parsed from JSON, and prices. */
export const ratesTarget: Target = {
  name: 'rates',
  words: [
    '{"price":"5.23","at":0}',
    '"price":"',
    '"at":',
    '"source":"',
    '5.23',
    '0.',
    '.5',
    '00',
    '-1',
    '1e9',
    '1E-9',
    'NaN',
    'Infinity',
    '0x10',
    ' ',
    '\u0665',
    '+',
    '_',
    '1,5',
    '9'.repeat(81),
    ...JSON_WORDS,
  ],
  grow: {
    digits: (bytes) => wrap('{"price":"1.', '3', '","at":0}', bytes),
    'a source': (bytes) => wrap('{"price":"1","at":0,"source":"', 'a', '"}', bytes),
    nesting: (bytes) => nest('{"price":', '1', '}', bytes),
  },
  async check(input) {
    checkPrice(textOf(input))
    const given = jsonOf(input)
    const rate = await readGiven(given)
    if (rate === undefined) return
    checkPrice(rate.price)
    documented(RateError, () => checkBounds(PAIR, rate, BOUNDS))
    assert.ok(priceToUnits(PRICE, { coinPrice: rate.price, decimals: DECIMALS }) > 0n)
  },
}

/** Returns the rate that is made of a parsed value; `undefined` when it is refused. */
async function readGiven(given: unknown): Promise<Rate | undefined> {
  const returned: unknown =
    typeof given === 'object' && given !== null && 'at' in given
      ? { ...given, at: new Date(Number(given.at)) }
      : given
  try {
    // A source that is not typed returns anything.
    const options = { timeoutMs: 1000, clock: systemClock }
    return await readRate(() => returned as Rate, PAIR, options)
  } catch (error) {
    assert.ok(error instanceof RateError, 'the error is documented')
    assert.ok(error.message.length < 1000, 'the message is long')
    return undefined
  }
}

/** The units are the least ones that are worth the price. */
function checkPrice(coinPrice: string): void {
  let units: bigint | undefined
  documented(AmountError, () => (units = priceToUnits(PRICE, { coinPrice, decimals: DECIMALS })))
  if (units === undefined) return
  assert.match(coinPrice, /^\d+(\.\d+)?$/)
  const [whole = '', fraction = ''] = coinPrice.split('.')
  const worth = BigInt(whole + fraction)
  const price = 1250n * 10n ** BigInt(DECIMALS + fraction.length - 2)
  assert.ok(units * worth >= price)
  assert.ok((units - 1n) * worth < price)
}
