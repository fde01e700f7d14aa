import { ConfigurationError } from '@tonplug/core'
import { describe, expect, it } from 'vitest'
import { BEGIN, gatewayBody, openPaidChain, orderOf } from './paid-chain.js'

const MINUTE_MS = 60_000

describe('health of a watcher', () => {
  it('returns the oldest open order, the last run and the decisions', async () => {
    const body = gatewayBody(1)
    const shop = await openPaidChain([orderOf('paid', body), orderOf('open', gatewayBody(2))], {
      watcher: { minIntervalMs: MINUTE_MS },
    })
    const { watcher } = shop
    await shop.pay(1, { body })
    await shop.wait(60)
    watcher.start()
    expect(await watcher.health()).toEqual({ status: 'up', decisions: {} })
    await shop.wait(0)
    await expect.poll(() => watcher.stats().lastRun?.isComplete).toBe(true)
    await shop.wait(30)
    const health = await watcher.health()
    expect(health).toEqual({
      status: 'up',
      lastRunAgeMs: 30_000,
      isComplete: true,
      lastCompleteAgeMs: 30_000,
      openOrders: 2,
      cursorLagMs: 90_000,
      oldestOpenAgeMs: shop.clock.nowMs() - BEGIN * 1000,
      ambiguous: 0,
      unwatched: 0,
      decisions: { paid: 1 },
    })
    expect(await watcher.health({ maxOpenAgeMs: MINUTE_MS })).toMatchObject({
      status: 'down',
      message: `the oldest open order is ${health.oldestOpenAgeMs} ms old, more than 60000 ms`,
    })
  })

  it('is down when no run was complete for too long, and states the problem', async () => {
    const shop = await openPaidChain([orderOf('open', gatewayBody(2))])
    const { watcher, v3Server } = shop
    watcher.start()
    v3Server.fault = () => ({ status: 401, body: '{"error":"API key does not exist"}' })
    // A request that is under way while a minute passes at once would end its run.
    for (let second = 0; second < 60; second++) {
      await shop.wait(1)
      await shop.quiet()
    }
    expect(await watcher.health({ maxIncompleteMs: MINUTE_MS })).toMatchObject({
      status: 'up',
      isComplete: false,
      problem: expect.stringContaining('401'),
    })
    await shop.wait(1)
    const down = {
      status: 'down',
      message: 'the last complete run is 61000 ms old, more than 60000 ms',
    }
    expect(await watcher.health({ maxIncompleteMs: MINUTE_MS })).toMatchObject(down)
    v3Server.fault = () => undefined
    await watcher.run()
    expect(await watcher.health({ maxIncompleteMs: MINUTE_MS })).toMatchObject({ status: 'up' })
  })

  it('has no age of an open order when none is open', async () => {
    const { watcher } = await openPaidChain([])
    await watcher.run()
    watcher.start()
    const health = await watcher.health()
    expect(health).toMatchObject({ status: 'up', openOrders: 0 })
    expect(health).not.toHaveProperty('oldestOpenAgeMs')
  })

  it('is down before start and after close', async () => {
    const { watcher } = await openPaidChain([])
    const down = { status: 'down', message: 'the watcher has not been started, or was closed' }
    await watcher.run()
    expect(await watcher.health()).toMatchObject(down)
    watcher.start()
    expect(await watcher.health()).toMatchObject({ status: 'up' })
    await watcher.close()
    expect(await watcher.health()).toMatchObject(down)
  })

  it('rejects an invalid time', async () => {
    const { watcher } = await openPaidChain([])
    await expect(watcher.health({ maxOpenAgeMs: 0 })).rejects.toThrow(ConfigurationError)
    await expect(watcher.health({ maxIncompleteMs: -1 })).rejects.toThrow(ConfigurationError)
  })
})
