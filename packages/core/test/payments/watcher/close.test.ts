import { memoryInbox, type Inbox } from '@tonplug/core'
import { describe, expect, it } from 'vitest'
import { gatewayBody, openPaidChain, orderOf } from './paid-chain.js'

const body = gatewayBody(1)

async function openPaid(options: Parameters<typeof openPaidChain>[1]) {
  const shop = await openPaidChain([orderOf('order-1', body)], options)
  await shop.pay(1, { body })
  await shop.wait(120)
  return shop
}

function never(): Promise<never> {
  return new Promise(() => undefined)
}

describe('close of a watcher', () => {
  it('aborts a request without a response', async () => {
    const shop = await openPaid({})
    const server = shop.v3Server
    server.fault = () => 'hang'
    const ended = Promise.allSettled([shop.watcher.run()])
    await expect.poll(() => server.hanging).toBe(1)
    // The clock does not move, so only the signal can end it.
    await shop.watcher.close()
    expect(await ended).toMatchObject([{ status: 'rejected', reason: { name: 'AbortError' } }])
    await expect.poll(() => server.hanging).toBe(0)
    expect(shop.watcher.stats().lastRun).toMatchObject({ isComplete: false })
  })

  it('waits for a store, at most five seconds', async () => {
    let isAsked = false
    const inbox = memoryInbox()
    const store: Inbox['reports']['store'] = () => {
      isAsked = true
      return never()
    }
    const shop = await openPaid({
      payments: { inbox: { ...inbox, reports: { ...inbox.reports, store } } },
    })
    shop.watcher.start()
    await shop.clock.advance(60_000)
    await expect.poll(() => isAsked).toBe(true)
    let isClosed = false
    const closed = shop.watcher.close().then(() => (isClosed = true))
    expect(shop.watcher.close()).toBe(shop.watcher.close())
    await shop.clock.advance(4999)
    expect(isClosed).toBe(false)
    await shop.clock.advance(1)
    await closed
    expect(shop.logger.lines).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        message: 'watcher run still active at the end of the drain',
      }),
    )
  })
})
