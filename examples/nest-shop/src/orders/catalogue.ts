import type { Currency } from './money.js'

/** Something to buy, and its price in base units. */
export interface Product {
  id: string
  name: string
  description: string
  rawAmount: bigint
  currency: Currency
}

const TON: Currency = { asset: 'TON', ticker: 'TON', decimals: 9 }

const USDT: Currency = {
  asset: 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs',
  ticker: 'USD₮',
  decimals: 6,
}

/** Everything that the shop sells, in the order of the page. */
export const catalogue: readonly Product[] = [
  {
    id: 'first-light',
    name: 'First Light',
    description: 'Ethiopia, washed. Bergamot and apricot, roasted for filter.',
    rawAmount: 6_500_000_000n,
    currency: TON,
  },
  {
    id: 'late-shift',
    name: 'Late Shift',
    description: 'Brazil and Sumatra. Dark chocolate, and awake until two.',
    rawAmount: 5_250_000_000n,
    currency: TON,
  },
  {
    id: 'half-caf',
    name: 'Half Caf',
    description: 'Colombia, half of it decaffeinated. Caramel and plum.',
    rawAmount: 18_000_000n,
    currency: USDT,
  },
]

/** The product with this id, if the shop sells it. */
export function findProduct(id: unknown): Product | undefined {
  return catalogue.find((product) => product.id === id)
}
