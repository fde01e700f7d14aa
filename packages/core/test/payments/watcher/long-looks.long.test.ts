import { expect, it } from 'vitest'
import { openBusyShop } from './busy-shop.js'

const OVERLAP_SECONDS = 600

it('completes a thorough look whose overlap does not fit into one run', async () => {
  const shop = await openBusyShop()
  let runs = 1
  while (!(await shop.run()) && runs < 30) runs++
  expect(runs).toBeGreaterThan(1)
  expect(runs).toBeLessThanOrEqual(8)
})

it('scans the overlap again from the block at which a look of several runs began', async () => {
  const shop = await openBusyShop()
  expect(await shop.run()).toBe(false)
  const beganAt = shop.index.head
  while (!(await shop.run())) expect(shop.index.head).toBeLessThan(beganAt + 2 * OVERLAP_SECONDS)
  const before = shop.index.requests.length
  await shop.run()
  const starts = shop.index.requests
    .slice(before)
    .flatMap(({ query }) => query.get('start_utime') ?? [])
  expect(Math.min(...starts.map(Number))).toBe(beganAt - OVERLAP_SECONDS)
})
