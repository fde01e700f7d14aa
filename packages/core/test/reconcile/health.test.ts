import { ConfigurationError } from '@tonplug/core'
import { describe, expect, it } from 'vitest'
import { BEGIN, gatewayBody, openPaidChain, orderOf } from './paid-chain.js'

const MINUTE_MS = 60_000

describe('the health of a reconciler', () => {
  it('tells the oldest open order, the last run and what was found', async () => {
    const body = gatewayBody(1)
    const shop = await openPaidChain([orderOf('paid', body), orderOf('open', gatewayBody(2))])
    const { reconciler } = shop
    await shop.pay(1, { body })
    await shop.wait(60)
    reconciler.start()
    expect(await reconciler.health()).toEqual({ status: 'up', found: {} })
    await shop.wait(60)
    await expect.poll(() => reconciler.stats().lastRun?.isComplete).toBe(true)
    await shop.wait(30)
    const health = await reconciler.health()
    expect(health).toEqual({
      status: 'up',
      lastRunAgeMs: 30_000,
      isComplete: true,
      openOrders: 2,
      oldestOpenAgeMs: shop.clock.nowMs() - BEGIN * 1000,
      ambiguous: 0,
      unwatched: 0,
      found: { lost_webhook: 1 },
    })
    expect(await reconciler.health({ maxOpenAgeMs: MINUTE_MS })).toMatchObject({
      status: 'down',
      message: `the oldest open order is ${health.oldestOpenAgeMs} ms old, more than 60000 ms`,
    })
  })

  it('is down when no run comes to its end for too long, and says why', async () => {
    const shop = await openPaidChain([orderOf('open', gatewayBody(2))])
    const { reconciler, v3Server } = shop
    reconciler.start()
    v3Server.fault = () => ({ status: 401, body: '{"error":"API key does not exist"}' })
    await shop.wait(60)
    await expect.poll(() => reconciler.stats().lastRun).toBeDefined()
    expect(await reconciler.health({ maxIncompleteMs: MINUTE_MS })).toMatchObject({
      status: 'up',
      isComplete: false,
      problem: expect.stringContaining('401'),
    })
    await shop.wait(1)
    const down = {
      status: 'down',
      message: 'the last complete run is 61000 ms old, more than 60000 ms',
    }
    expect(await reconciler.health({ maxIncompleteMs: MINUTE_MS })).toMatchObject(down)
    v3Server.fault = () => undefined
    await reconciler.run()
    expect(await reconciler.health({ maxIncompleteMs: MINUTE_MS })).toMatchObject({ status: 'up' })
  })

  it('is down before the start and after the end', async () => {
    const { reconciler } = await openPaidChain([])
    const down = { status: 'down', message: 'the reconciler has not been started, or was closed' }
    await reconciler.run()
    expect(await reconciler.health()).toMatchObject(down)
    reconciler.start()
    expect(await reconciler.health()).toMatchObject({ status: 'up' })
    await reconciler.close()
    expect(await reconciler.health()).toMatchObject(down)
  })

  it('takes no time that is none', async () => {
    const { reconciler } = await openPaidChain([])
    await expect(reconciler.health({ maxOpenAgeMs: 0 })).rejects.toThrow(ConfigurationError)
    await expect(reconciler.health({ maxIncompleteMs: -1 })).rejects.toThrow(ConfigurationError)
  })
})
