import { ConfigurationError, memoryInbox } from '@tonplug/core'
import { transferCompleted } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { openShop, order } from './shop.js'

const NOTHING = { undecided: 0, parked: 0, open: 0, dead: 0 }

describe('the health of a receiver', () => {
  it('is up with what its inbox has to do', async () => {
    const shop = openShop([order()], {
      onPaid: () => {
        throw new Error('not today')
      },
      handlerRetry: { maxAttempts: 2, minDelayMs: 10_000 },
    })
    expect(await shop.receiver.health()).toEqual({ status: 'up', inbox: 'memory', ...NOTHING })
    await shop.send(transferCompleted())
    await shop.send(transferCompleted({ reference: 'order-2' }))
    await shop.clock.advance(5000)
    expect(await shop.receiver.health()).toEqual({
      status: 'up',
      inbox: 'memory',
      ...NOTHING,
      parked: 1,
      open: 1,
      oldestWaitMs: 5000,
    })
    expect(await shop.receiver.health({ maxWaitMs: 4999 })).toMatchObject({
      status: 'down',
      open: 1,
      message: 'the oldest delivery has waited 5000 ms, more than 4999 ms',
    })
    await shop.clock.advance(10_000)
    expect(await shop.receiver.health({ maxWaitMs: 1 })).toEqual({
      status: 'up',
      inbox: 'memory',
      ...NOTHING,
      parked: 1,
      dead: 1,
    })
  })

  it('counts the time of a dead letter from its replay', async () => {
    let isMended = false
    const inbox = memoryInbox()
    const shop = openShop([order()], {
      inbox,
      onPaid: () => {
        if (!isMended) throw new Error('not today')
      },
      handlerRetry: { maxAttempts: 2, minDelayMs: 10_000 },
    })
    await shop.send(transferCompleted())
    await shop.clock.advance(100_000)
    await inbox.replayWhere({}, shop.clock.nowMs())
    expect(await shop.receiver.health({ maxWaitMs: 20_000 })).toMatchObject({
      status: 'up',
      open: 1,
      oldestWaitMs: 0,
    })
    await shop.clock.advance(6000)
    expect(await shop.receiver.health()).toMatchObject({ open: 1, oldestWaitMs: 6000 })
    isMended = true
    await shop.clock.advance(10_000)
    expect(await shop.receiver.health()).toMatchObject({ open: 0, dead: 0 })
  })

  it('is down before the start and after the end', async () => {
    const { receiver } = openShop([], { autoStart: false })
    const down = { status: 'down', message: 'the receiver has not started, or was closed' }
    expect(await receiver.health()).toMatchObject(down)
    receiver.start()
    expect(await receiver.health()).toMatchObject({ status: 'up' })
    await receiver.close()
    expect(await receiver.health()).toMatchObject(down)
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('postgres://shop:sesame@db refused')
      },
    ],
    ['rejects', () => Promise.reject(new Error('postgres://shop:sesame@db refused'))],
  ])('is down, and tells no address, when the inbox %s', async (_, stats) => {
    const { receiver } = openShop([], { inbox: { ...memoryInbox(), stats } })
    const message = 'the inbox cannot be read'
    expect(await receiver.health()).toEqual({ status: 'down', inbox: 'memory', message })
  })

  it('is down when the inbox does not answer in time', async () => {
    const stats = (): Promise<never> => new Promise(() => undefined)
    const { receiver, clock } = openShop([], { inbox: { ...memoryInbox(), stats } })
    const health = receiver.health({ timeoutMs: 200 })
    await clock.advance(200)
    const message = 'the inbox did not answer within 200 ms'
    expect(await health).toEqual({ status: 'down', inbox: 'memory', message })
  })

  it('counts what is its own', async () => {
    const inbox = memoryInbox()
    const shop = openShop([], { inbox })
    const other = openShop([], { inbox, name: 'other' })
    await shop.send(transferCompleted())
    expect(await shop.receiver.health()).toMatchObject({ parked: 1 })
    expect(await other.receiver.health()).toMatchObject({ parked: 0 })
  })

  it.each([{ timeoutMs: 0 }, { timeoutMs: 2 ** 31 }, { maxWaitMs: -1 }, { maxWaitMs: Number.NaN }])(
    'refuses %j',
    async (options) => {
      const { receiver } = openShop()
      await expect(receiver.health(options)).rejects.toThrow(ConfigurationError)
    },
  )
})
