import { describe, expect, test } from 'vitest'
import { createDevelopmentGateway } from '../src/development-gateway.js'
import { openEvents } from './event-stream.js'
import { SECRET, startShop } from './harness.js'
import type { ShopHarness } from './harness.js'

async function startDevelopmentShop(): Promise<ShopHarness> {
  let url = ''
  const webhookUrl = () => `${url}/webhooks/ton`
  const shop = await startShop({
    gateway: createDevelopmentGateway({ secret: SECRET, webhookUrl }),
  })
  url = shop.url
  return shop
}

describe('simulating payments', () => {
  test.each([
    ['pay', [200], 'completed', ['paid', 'shipped'], 1],
    ['twice', [200, 200], 'completed', ['paid', 'shipped'], 1],
    ['fail', [200], 'failed', ['problem'], 0],
    ['underpay', [200], 'pending', ['problem'], 0],
  ])(
    '"%s" sends signed webhooks to the shop',
    async (outcome, statuses, status, kinds, parcels) => {
      const shop = await startDevelopmentShop()
      const { reference } = await shop.buy('gift-box')
      const events = await openEvents(shop.url, reference)

      const answer = await shop.post(`/orders/${reference}/simulate`, { outcome })

      expect(answer).toEqual({ status: 200, body: { statuses } })
      const view = await events.until(({ journal }) => journal.length === kinds.length)
      expect(view.status).toBe(status)
      expect(view.journal.map(({ kind }) => kind)).toEqual(kinds)
      expect(view.shipments).toHaveLength(parcels)
    },
  )

  test('rejects an unknown outcome with 400 and the choices', async () => {
    const shop = await startDevelopmentShop()
    const { reference } = await shop.buy('mug')

    const { status, body } = await shop.post(`/orders/${reference}/simulate`, { outcome: 'win' })

    expect(status).toBe(400)
    expect(body).toMatchObject({
      error: { message: 'Send JSON with "outcome" set to one of: pay, fail, underpay, twice' },
    })
  })

  test('responds with 404 for an unknown order', async () => {
    const shop = await startDevelopmentShop()
    const { status } = await shop.post('/orders/nope/simulate', { outcome: 'pay' })

    expect(status).toBe(404)
  })

  test('has neither panel nor route without a development gateway', async () => {
    const shop = await startShop()
    const { reference, simulations } = await shop.buy('mug')

    const { status } = await shop.post(`/orders/${reference}/simulate`, { outcome: 'pay' })

    expect(simulations).toEqual([])
    expect(status).toBe(404)
    expect(await shop.view(reference)).toMatchObject({ status: 'pending' })
  })
})
