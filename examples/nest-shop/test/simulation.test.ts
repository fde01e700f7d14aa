import { describe, expect, test } from 'vitest'
import { openEvents } from './event-stream.js'
import { startShop } from './harness.js'

describe('simulating payments', () => {
  test.each([
    ['pay', [200], 'completed', ['paid', 'shipped'], 1],
    ['twice', [200, 200], 'completed', ['paid', 'shipped'], 1],
    ['fail', [200], 'failed', ['problem'], 0],
    ['underpay', [200], 'pending', ['problem'], 0],
  ])(
    '"%s" sends signed webhooks to the shop',
    async (outcome, statuses, status, kinds, parcels) => {
      const shop = await startShop({ isDevelopment: true })
      const { reference } = await shop.buy('half-caf')
      const events = await openEvents(shop.url, reference)

      const answer = await shop.post(`/orders/${reference}/simulate`, { outcome })

      expect(answer).toEqual({ status: 200, body: { statuses } })
      const view = await events.until(({ journal }) => journal.length === kinds.length)
      expect(view.status).toBe(status)
      expect(view.journal.map(({ kind }) => kind)).toEqual(kinds)
      expect(view.shipments).toHaveLength(parcels)
    },
  )

  test('an outcome that cannot be simulated is answered 400 with the choices', async () => {
    const shop = await startShop({ isDevelopment: true })
    const { reference } = await shop.buy('half-caf')

    const { status, body } = await shop.post(`/orders/${reference}/simulate`, { outcome: 'win' })

    expect(status).toBe(400)
    expect(body).toMatchObject({
      message: 'Send JSON with "outcome" set to one of: pay, fail, underpay, twice',
    })
  })

  test('in production there is neither panel nor route', async () => {
    const shop = await startShop()
    const { reference, simulations } = await shop.buy('half-caf')

    const { status } = await shop.post(`/orders/${reference}/simulate`, { outcome: 'pay' })

    expect(simulations).toEqual([])
    expect(status).toBe(404)
    expect(await shop.view(reference)).toMatchObject({ status: 'pending' })
  })
})
