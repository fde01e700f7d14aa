import { createManualClock } from '@tonplug/testing'
import { expect, test } from 'vitest'
import { catalogue } from '../src/catalogue.js'
import { createShipping } from '../src/shipping.js'
import type { ShopOrder } from '../src/shop-order.js'

function makeOrder(reference: string): ShopOrder {
  const [product] = catalogue
  if (product === undefined) throw new Error('The catalogue is empty')
  const { rawAmount, currency } = product
  const { asset } = currency
  return { reference, rawAmount, asset, status: 'completed', product, createdAt: new Date(0) }
}

test('S47 a handler that runs again with the same key ships nothing more', () => {
  const shipping = createShipping({ clock: createManualClock() })

  const first = shipping.ship(makeOrder('order-1'), 'key-1')
  const again = shipping.ship(makeOrder('order-1'), 'key-1')
  const other = shipping.ship(makeOrder('order-2'), 'key-2')

  expect(again).toBe(first)
  expect(other.trackingCode).not.toBe(first.trackingCode)
  expect(shipping.listByReference('order-1')).toEqual([first])
})
