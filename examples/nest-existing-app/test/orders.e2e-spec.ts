import { startApp } from './start-app'
import type { StartedApp } from './start-app'

describe('the back office', () => {
  let started: StartedApp

  beforeEach(async () => {
    started = await startApp()
  })

  afterEach(() => started.app.close())

  it('creates an order and lists it as open', async () => {
    const placed = await started.order()

    expect(placed).toMatchObject({
      sku: 'tote',
      quantity: 2,
      rawAmount: '10500000000',
      asset: 'TON',
      status: 'pending',
      parcel: null,
    })
    const { body } = await started.backOffice.get('/api/orders/open').expect(200)
    expect(body).toEqual([placed])
  })

  it('confirms a payment manually, once', async () => {
    const { reference } = await started.order()

    const { body } = await started.backOffice.post(`/api/orders/${reference}/confirm`).expect(200)
    expect(body).toMatchObject({ status: 'completed', parcel: '2 × tote' })

    const again = await started.backOffice.post(`/api/orders/${reference}/confirm`).expect(409)
    expect(again.body.problem.message).toBe('The order is already completed')
  })

  it.each([
    [{ sku: 'yacht', quantity: 1 }],
    [{ sku: 'tote', quantity: 0 }],
    [{ sku: 'tote', quantity: 1, rawAmount: '1' }],
  ])('rejects %j', async (order) => {
    const { body } = await started.backOffice.post('/api/orders').send(order).expect(400)

    expect(body.problem.message).toHaveLength(1)
  })

  it('responds with 404 for an unknown order', async () => {
    const { body } = await started.backOffice.get('/api/orders/nope').expect(404)

    expect(body.problem.message).toBe('There is no such order')
  })

  it('requires the API key, except for the health check', async () => {
    await started.anonymous.get('/api/orders/open').expect(401)
    await started.anonymous.get('/api/orders/open').set('x-api-key', 'wrong').expect(401)
    await started.anonymous.post('/api/orders').send({ sku: 'tote', quantity: 2 }).expect(401)
    await started.anonymous.get('/api/health').expect(200, { ok: true })
  })
})
