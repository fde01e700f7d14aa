import { readFile } from 'node:fs/promises'
import { PGlite } from '@electric-sql/pglite'
import { createFakeClock } from '@tonplug/testing'
import { afterAll, expect, inject, test } from 'vitest'
import type { ShopOrder } from '../src/shop-order.js'
import { openStores } from '../src/stores.js'

function makeOrder(reference: string): ShopOrder {
  return {
    reference,
    merchant: '',
    rawAmount: 10_500_000_000n,
    asset: 'TON',
    status: 'completed',
    createdAt: new Date(0),
    data: { name: 'Hoodie', currency: { asset: 'TON', ticker: 'TON', decimals: 9 } },
  }
}

// PGlite takes a second or more to start.
const empty = await readFile(inject('emptyPGlite').archive)
const db = await PGlite.create({ loadDataDir: new Blob([empty]) })
afterAll(() => db.close())

test('S47 ships once for a key, however often the handler runs', async () => {
  const { shipping } = await openStores(db, { clock: createFakeClock() })

  const [first, again] = await Promise.all([
    shipping.ship(makeOrder('order-1'), 'key-1'),
    shipping.ship(makeOrder('order-1'), 'key-1'),
  ])
  const other = await shipping.ship(makeOrder('order-2'), 'key-2')

  expect(again).toEqual(first)
  expect(other.trackingCode).not.toBe(first.trackingCode)
  expect(await shipping.listByReference('order-1')).toEqual([first])
})
