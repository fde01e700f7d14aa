import { expect, it } from 'vitest'
import { openShop } from '../shop.js'

const NAMED = expect.stringContaining('the clock of the database')

it('S110 reports a clock that differs from that of the database, until it agrees again', async () => {
  let aheadMs = 90_000
  const shop = openShop([], {
    inbox: (memory) => ({
      ...memory,
      processes: { ...memory.processes, nowMs: async () => shop.clock.nowMs() - aheadMs },
    }),
  })
  await shop.clock.advance(0)
  expect(await shop.payments.health()).toMatchObject({ status: 'degraded', message: NAMED })
  aheadMs = -3_600_000
  await shop.clock.advance(61_000)
  expect(await shop.payments.health()).toMatchObject({ status: 'degraded', message: NAMED })
  aheadMs = 5000
  await shop.clock.advance(61_000)
  expect(await shop.payments.health()).toMatchObject({ status: 'up' })
  const messages = shop.logger.lines.map(({ message }) => message)
  expect(messages.filter((message) => message.startsWith('clock'))).toEqual([
    'clock differs from the database; synchronize both clocks',
    'clock agrees with the database again',
  ])
})
