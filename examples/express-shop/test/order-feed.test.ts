import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createOrderFeed } from '../src/order-feed.js'
import type { OrderFeed } from '../src/order-feed.js'
import type { OrderView, ViewOrder } from '../src/order-view.js'
import { openEvents } from './event-stream.js'

/** Serves a feed, and a promise for each page that is closed. */
async function serveFeed(viewOrder: ViewOrder) {
  const feed: OrderFeed = createOrderFeed(viewOrder)
  const closings: Promise<unknown>[] = []
  const app = express()
  app.get('/orders/:reference/events', (request, response) => {
    closings.push(once(response, 'close'))
    feed.open(request.params.reference, response)
  })
  const server = createServer(app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    feed.close()
    server.close()
  })
  // An address of a listening TCP server is always an object.
  const { port } = server.address() as AddressInfo
  return { feed, closings, url: `http://127.0.0.1:${port}` }
}

function makeView(reference: string, rawAmount: string): OrderView {
  return {
    reference,
    product: 'Mug',
    amount: `${rawAmount} TON`,
    rawAmount,
    asset: 'TON',
    status: 'pending',
    txHash: null,
    journal: [],
    shipments: [],
    simulations: [],
  }
}

describe('createOrderFeed', () => {
  test('removes a closed page', async () => {
    const { feed, closings, url } = await serveFeed(async (reference) => makeView(reference, '1'))
    const staying = await openEvents(url, 'order-1')
    const leaving = await openEvents(url, 'order-1')
    await staying.until(() => true)
    await leaving.until(() => true)
    expect(feed.countPages('order-1')).toBe(2)

    leaving.abort()
    await closings[1]
    expect(feed.countPages('order-1')).toBe(1)

    staying.abort()
    await closings[0]
    expect(feed.countPages('order-1')).toBe(0)
  })

  test('sends the last state as the last event, also after a change during a read', async () => {
    let amount = 1
    let duringRead = () => {}
    const { feed, url } = await serveFeed(async (reference) => {
      const view = makeView(reference, `${amount}`)
      duringRead()
      return view
    })
    duringRead = () => {
      duringRead = () => {}
      amount = 2
      feed.publish('order-1')
    }

    const events = await openEvents(url, 'order-1')

    expect(await events.until(() => true)).toMatchObject({ rawAmount: '1' })
    expect(await events.until(() => true)).toMatchObject({ rawAmount: '2' })
  })

  test('ends the stream when the orders cannot be read, so that the browser reconnects', async () => {
    const { url } = await serveFeed(() => Promise.reject(new Error('no database')))

    const events = await openEvents(url, 'order-1')

    expect(await events.rest()).toEqual([])
  })
})
