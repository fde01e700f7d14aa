import type { Currency } from './money.js'

/** A product, with its price in base units. */
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

/** All products, in the order of the page. */
export const catalog: readonly Product[] = [
  {
    id: 'postcard',
    name: 'Postcard',
    description: 'Printed on heavy cotton paper, stamp included.',
    rawAmount: 500_000_000n,
    currency: TON,
  },
  {
    id: 'mug',
    name: 'Enamel mug',
    description: 'Holds 350 ml of coffee and survives the campfire.',
    rawAmount: 2_250_000_000n,
    currency: TON,
  },
  {
    id: 'hoodie',
    name: 'Hoodie',
    description: 'Organic cotton, brushed inside, deep pockets.',
    rawAmount: 10_500_000_000n,
    currency: TON,
  },
  {
    id: 'gift-box',
    name: 'Gift box',
    description: 'A mug, four postcards and a ribbon.',
    rawAmount: 25_000_000n,
    currency: USDT,
  },
]

/** Returns the product with this id, if the shop sells it. */
export function findProduct(id: string): Product | undefined {
  return catalog.find((product) => product.id === id)
}
