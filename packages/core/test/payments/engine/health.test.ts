import { ConfigurationError } from '@tonplug/core'
import { transferCompleted } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { openShop, order } from '../shop.js'

const NOTHING = { undecided: 0, parked: 0, unreadable: 0, open: 0, relayed: 0, dead: 0 }

describe('the health of Payments', () => {
  it('is up, with the counts of its inbox', async () => {
    const shop = openShop([order()], {
      onPaid: () => {
        throw new Error('not today')
      },
      handlerRetry: { maxAttempts: 2, minDelayMs: 10_000 },
    })
    expect(await shop.payments.health()).toEqual({ status: 'up', inbox: 'memory', ...NOTHING })
    await shop.send(transferCompleted())
    await shop.send(transferCompleted({ reference: 'order-2' }))
    await shop.clock.advance(5000)
    expect(await shop.payments.health()).toEqual({
      status: 'up',
      inbox: 'memory',
      ...NOTHING,
      parked: 1,
      open: 1,
      oldestWaitMs: 5000,
    })
    expect(await shop.payments.health({ maxWaitMs: 4999 })).toMatchObject({
      status: 'down',
      open: 1,
      message: 'the oldest report has waited 5000 ms, more than 4999 ms',
    })
    await shop.clock.advance(10_000)
    expect(await shop.payments.health({ maxWaitMs: 1 })).toEqual({
      status: 'up',
      inbox: 'memory',
      ...NOTHING,
      parked: 1,
      dead: 1,
    })
  })

  it('counts the age of a dead letter from its replay', async () => {
    let isFixed = false
    const shop = openShop([order()], {
      onPaid: () => {
        if (!isFixed) throw new Error('not today')
      },
      handlerRetry: { maxAttempts: 2, minDelayMs: 10_000 },
    })
    await shop.send(transferCompleted())
    await shop.clock.advance(100_000)
    await shop.inbox.tasks.replayWhere({})
    expect(await shop.payments.health({ maxWaitMs: 20_000 })).toMatchObject({
      status: 'up',
      open: 1,
      oldestWaitMs: 0,
    })
    await shop.clock.advance(6000)
    expect(await shop.payments.health()).toMatchObject({ open: 1, oldestWaitMs: 6000 })
    isFixed = true
    await shop.clock.advance(10_000)
    expect(await shop.payments.health()).toMatchObject({ open: 0, dead: 0 })
  })

  it('is down before start and after close', async () => {
    const { payments } = openShop([], { autoStart: false })
    const down = { status: 'down', message: 'Payments has not been started, or was closed' }
    expect(await payments.health()).toMatchObject(down)
    payments.start()
    expect(await payments.health()).toMatchObject({ status: 'up' })
    await payments.close()
    expect(await payments.health()).toMatchObject(down)
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('postgres://shop:sesame@db refused')
      },
    ],
    ['rejects', () => Promise.reject(new Error('postgres://shop:sesame@db refused'))],
  ])('is down, without an address, when the inbox %s', async (_, stats) => {
    const { payments } = openShop([], { inbox: (memory) => ({ ...memory, stats }) })
    const message = 'the inbox cannot be read'
    expect(await payments.health()).toEqual({ status: 'down', inbox: 'memory', message })
  })

  it('is down when the inbox does not respond in time', async () => {
    const stats = (): Promise<never> => new Promise(() => undefined)
    const { payments, clock } = openShop([], { inbox: (memory) => ({ ...memory, stats }) })
    const health = payments.health({ timeoutMs: 200 })
    await clock.advance(200)
    const message = 'the stores did not respond within 200 ms'
    expect(await health).toEqual({ status: 'down', inbox: 'memory', message })
  })

  it('counts the work of its own name only', async () => {
    const shop = openShop([])
    const { clock, inbox } = shop
    const other = openShop([], { clock, inbox, name: 'other' })
    await shop.send(transferCompleted())
    expect(await shop.payments.health()).toMatchObject({ parked: 1 })
    expect(await other.payments.health()).toMatchObject({ parked: 0 })
  })

  it.each([{ timeoutMs: 0 }, { timeoutMs: 2 ** 31 }, { maxWaitMs: -1 }, { maxWaitMs: Number.NaN }])(
    'rejects the options %j',
    async (options) => {
      const { payments } = openShop()
      await expect(payments.health(options)).rejects.toThrow(ConfigurationError)
    },
  )
})
