import { expect, it } from 'vitest'
import { openBusyShop } from './busy-shop.js'

it('finds a new payment while a thorough look takes several runs', async () => {
  const shop = await openBusyShop()
  expect(await shop.run()).toBe(false)
  shop.addOrder('new', shop.index.head + 30)
  expect(await shop.run()).toBe(false)
  expect(await shop.statusOf('new')).toBe('completed')
})
