import { readFile } from 'node:fs/promises'
import { PGlite } from '@electric-sql/pglite'
import { createFakeClock } from '@tonplug/testing'
import { afterAll, expect, inject, test } from 'vitest'
import { openStores } from '../src/shop/stores.js'

// PGlite takes a second or more to start.
const empty = await readFile(inject('emptyPGlite').archive)
const db = await PGlite.create({ loadDataDir: new Blob([empty]) })
afterAll(() => db.close())

test('S47 ships once for a key, however often the handler runs', async () => {
  const { shipping } = await openStores(db, { clock: createFakeClock() })

  await Promise.all([shipping.ship('order-1', 'key-1'), shipping.ship('order-1', 'key-1')])
  await shipping.ship('order-2', 'key-2')

  expect(await shipping.count('order-1')).toBe(1)
})
