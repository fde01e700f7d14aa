import { transferCompleted } from '@tonplug/testing'
import { expect, it } from 'vitest'
import { openShop } from '../shop.js'

const DISK_FULL = Object.assign(new Error('a row at db.internal'), {
  code: '53100',
})

it('is not up from a report that cannot be stored to the next one that can', async () => {
  let failure: Error | undefined = DISK_FULL
  const shop = openShop(undefined, {
    inbox: (memory) => ({
      ...memory,
      reports: {
        ...memory.reports,
        store: (report) => (failure ? Promise.reject(failure) : memory.reports.store(report)),
      },
    }),
  })
  expect(await shop.payments.health()).toMatchObject({ status: 'up' })
  expect(await shop.send(transferCompleted())).toMatchObject({ status: 503 })
  const { status, message } = await shop.payments.health()
  expect([status, message]).toEqual([
    'degraded',
    'the last report of this process could not be stored (code 53100, disk full)',
  ])
  failure = new Error('db.internal')
  expect(await shop.send(transferCompleted())).toMatchObject({ status: 503 })
  expect((await shop.payments.health()).message).not.toMatch(/internal|code/)
  failure = undefined
  expect(await shop.send(transferCompleted())).toMatchObject({ status: 200 })
  expect(await shop.payments.health()).toMatchObject({ status: 'up' })
})
