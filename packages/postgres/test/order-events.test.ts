import { createPayments } from '@tonplug/core'
import { createTestLogger, transferCompleted } from '@tonplug/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { postgresInbox } from '../src/postgres-inbox.js'
import { postgresOrderRepository } from '../src/postgres-order-repository.js'
import { openPGlite, openPostgres } from './databases.js'
import { openShop, ORDER, withClock, type ClockedDatabase } from './shop.js'

describe.each([
  ['PGlite', openPGlite],
  ['PostgreSQL', openPostgres],
])('events of an order, %s', (_, open) => {
  let database: ClockedDatabase
  beforeAll(async () => {
    database = await withClock(await open())
  })
  beforeEach(() => database.clear())
  afterAll(() => database.close())

  it('S39 report what another process decides, and end when it is paid', async () => {
    const { timed, clock } = database
    const deciding = openShop(timed, { clock })
    await deciding.orders.create(ORDER)
    const payments = createPayments({
      orders: postgresOrderRepository(timed),
      inbox: postgresInbox(timed),
      clock,
      logger: createTestLogger(),
      autoStart: false,
    })
    onTestFinished(() => payments.close())
    const statuses: string[] = []
    const read = async (): Promise<void> => {
      for await (const { status } of payments.watchStatus('order-1')) statuses.push(status)
      statuses.push('end')
    }
    const ended = read()
    const shows = (status: string) => () => statuses.at(-1) === status

    await deciding.advanceUntil(shows('waiting'))
    await deciding.send(transferCompleted({ rawAmount: '1', txHash: 'tx-1' }))
    await deciding.advanceUntil(shows('partially_paid'))
    await deciding.send(transferCompleted({ txHash: 'tx-2' }))
    await deciding.advanceUntil(shows('end'))
    await ended
    // A read between the store and the decision shows `detected`.
    const decided = statuses.filter((status) => status !== 'detected')
    expect(decided).toEqual(['waiting', 'partially_paid', 'paid', 'end'])
  })

  it('report a reference that the database cannot store as waiting', async () => {
    const { payments } = openShop(database.timed, { clock: database.clock })
    const events = payments.watchStatus('order\u0000')[Symbol.asyncIterator]()
    const first = events.next()
    await database.clock.advance(0)
    expect(await first).toEqual({ done: false, value: { status: 'waiting' } })
    await events.return?.()
  })
})
