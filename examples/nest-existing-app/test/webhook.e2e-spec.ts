import type { Payments } from '@tonplug/core'
import { getPaymentsToken } from '@tonplug/nestjs'
import { signPayload, transferCompleted, transferFailed } from '@tonplug/testing'
import { env } from '../src/env'
import type { OrderView } from '../src/orders/order-view'
import { OPEN } from '../src/orders/order.entity'
import { OrdersRepository } from '../src/orders/orders.repository'
import { WarehouseService } from '../src/orders/warehouse.service'
import { startApp } from './start-app'
import type { StartedApp } from './start-app'

const TX_HASH = 'a1'.repeat(32)

describe('the webhook', () => {
  let started: StartedApp

  beforeEach(async () => {
    started = await startApp()
  })

  afterEach(() => started.app.close())

  async function deliver(payload: object, secret = env('TONPAY_WEBHOOK_SECRET')): Promise<number> {
    const { body, headers } = signPayload(payload, secret)
    const { status } = await started.anonymous.post('/api/webhooks/ton').set(headers).send(body)
    return status
  }

  /** Returns the order after every handler has run: closing payments waits for them. */
  async function showAfterHandlers(reference: string): Promise<OrderView> {
    await started.app.get<Payments>(getPaymentsToken(), { strict: false }).close()
    return started.show(reference)
  }

  it('S1 S37 S59 completes and packs an order, behind prefix, pipe, guard and filter', async () => {
    const { reference } = await started.order()

    expect(await deliver(transferCompleted({ reference }))).toBe(200)

    const order = await showAfterHandlers(reference)
    expect(order).toMatchObject({ status: 'completed', parcel: '2 × tote' })
  })

  it('S2 S7 responds with 401 to a wrong signature', async () => {
    const { reference } = await started.order()

    expect(await deliver(transferCompleted({ reference }), 'whsec_other')).toBe(401)

    expect(await showAfterHandlers(reference)).toMatchObject({ status: 'pending', parcel: null })
  })

  it('S3 responds with 401 without a signature, with or without the API key', async () => {
    const payload = transferCompleted()

    await started.anonymous.post('/api/webhooks/ton').send(payload).expect(401)
    await started.backOffice.post('/api/webhooks/ton').send(payload).expect(401)
  })

  it('S38 completes an order once for twenty concurrent deliveries', async () => {
    const { reference } = await started.order()
    const payload = transferCompleted({ reference })

    const pack = jest.spyOn(started.app.get(WarehouseService), 'pack')

    const statuses = await Promise.all(Array.from({ length: 20 }, () => deliver(payload)))

    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(await showAfterHandlers(reference)).toMatchObject({
      status: 'completed',
      parcel: '2 × tote',
    })
    expect(pack).toHaveBeenCalledTimes(1)
  })

  it('S28 S29 records a failure and completes the order on a later transfer', async () => {
    const { reference } = await started.order()

    expect(await deliver(transferFailed({ reference }))).toBe(200)
    expect(await started.show(reference)).toMatchObject({ status: 'failed', parcel: null })

    expect(await deliver(transferCompleted({ reference, txHash: TX_HASH }))).toBe(200)
    expect(await showAfterHandlers(reference)).toMatchObject({
      status: 'completed',
      parcel: '2 × tote',
    })
  })

  it('S31 S33 does not pack for another amount or asset', async () => {
    const { reference } = await started.order()
    const other = { reference, amount: '10.499999999', rawAmount: '10499999999' }

    expect(await deliver(transferCompleted(other))).toBe(200)
    expect(await deliver(transferCompleted({ reference, asset: `0:${'0'.repeat(64)}` }))).toBe(200)

    expect(await showAfterHandlers(reference)).toMatchObject({ status: 'pending', parcel: null })
  })

  it('S42 leaves a cancelled order cancelled', async () => {
    const { reference } = await started.order()
    await started.app.get(OrdersRepository).change(reference, OPEN, { status: 'cancelled' })

    expect(await deliver(transferCompleted({ reference }))).toBe(200)

    expect(await showAfterHandlers(reference)).toMatchObject({ status: 'cancelled', parcel: null })
  })

  it('S26 does not change an order that was confirmed manually', async () => {
    const { reference } = await started.order()
    await started.backOffice.post(`/api/orders/${reference}/confirm`).expect(200)

    expect(await deliver(transferCompleted({ reference }))).toBe(200)

    expect(await showAfterHandlers(reference)).toMatchObject({
      status: 'completed',
      parcel: '2 × tote',
    })
  })
})
