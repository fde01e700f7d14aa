import { transferCompleted } from '@tonplug/testing'
import { expect, it } from 'vitest'
import { openShop, order } from './payments/shop.js'

it.each([
  ['GRAM', 'TON'],
  ['TON', 'GRAM'],
  ['GRAM', 'GRAM'],
])('an order in %s is paid by a transfer of %s', async (expected, received) => {
  const shop = openShop([order({ asset: expected })])
  expect(await shop.decide(transferCompleted({ asset: received }))).toBe('paid')
})
