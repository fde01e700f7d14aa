import type { WebhookReceiver } from '@tonplug/core'
import { getReceiverToken } from '@tonplug/nestjs'
import { signPayload, transferCompleted, transferFailed } from '@tonplug/testing'
import { env } from '../src/env'
import type { OrderView } from '../src/orders/order-view'
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
    const { status } = await started.stranger.post('/api/webhooks/ton').set(headers).send(body)
    return status
  }

  /** The order once every handler has run: closing the receiver waits for them. */
  async function showAtLast(reference: string): Promise<OrderView> {
    await started.app.get<WebhookReceiver>(getReceiverToken(), { strict: false }).close()
    return started.show(reference)
  }

  it('S1 S37 S59 completes an order and has it packed, behind prefix, pipe, guard and filter', async () => {
    const { reference } = await started.order()

    expect(await deliver(transferCompleted({ reference }))).toBe(200)

    const order = await showAtLast(reference)
    expect(order).toMatchObject({ status: 'completed', parcel: '2 × tote' })
  })

  it('S2 S7 refuses a wrong signature with 401', async () => {
    const { reference } = await started.order()

    expect(await deliver(transferCompleted({ reference }), 'whsec_other')).toBe(401)

    expect(await showAtLast(reference)).toMatchObject({ status: 'pending', parcel: null })
  })

  it('S3 refuses a caller without a signature, with the API key or without', async () => {
    const payload = transferCompleted()

    await started.stranger.post('/api/webhooks/ton').send(payload).expect(401)
    await started.backOffice.post('/api/webhooks/ton').send(payload).expect(401)
  })

  it('S38 completes an order once, however often it is told', async () => {
    const { reference } = await started.order()
    const payload = transferCompleted({ reference })

    const pack = jest.spyOn(started.app.get(WarehouseService), 'pack')

    const statuses = await Promise.all(Array.from({ length: 20 }, () => deliver(payload)))

    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(await showAtLast(reference)).toMatchObject({ status: 'completed', parcel: '2 × tote' })
    expect(pack).toHaveBeenCalledTimes(1)
  })

  it('S28 S29 records a failure, and completes the order by a later transfer', async () => {
    const { reference } = await started.order()

    expect(await deliver(transferFailed({ reference }))).toBe(200)
    expect(await started.show(reference)).toMatchObject({ status: 'failed', parcel: null })

    expect(await deliver(transferCompleted({ reference, txHash: TX_HASH }))).toBe(200)
    expect(await showAtLast(reference)).toMatchObject({ status: 'completed', parcel: '2 × tote' })
  })

  it('S31 S33 packs nothing for another amount or asset', async () => {
    const { reference } = await started.order()
    const other = { reference, amount: '10.499999999', rawAmount: '10499999999' }

    expect(await deliver(transferCompleted(other))).toBe(200)
    expect(await deliver(transferCompleted({ reference, asset: `0:${'0'.repeat(64)}` }))).toBe(200)

    expect(await showAtLast(reference)).toMatchObject({ status: 'pending', parcel: null })
  })

  it('S42 leaves a cancelled order cancelled', async () => {
    const { reference } = await started.order()
    await started.backOffice.post(`/api/orders/${reference}/cancel`).expect(200)

    expect(await deliver(transferCompleted({ reference }))).toBe(200)

    expect(await showAtLast(reference)).toMatchObject({ status: 'cancelled', parcel: null })
  })

  it('S26 leaves an order alone that was confirmed by hand', async () => {
    const { reference } = await started.order()
    await started.backOffice.post(`/api/orders/${reference}/confirm`).expect(200)

    expect(await deliver(transferCompleted({ reference }))).toBe(200)

    expect(await showAtLast(reference)).toMatchObject({ status: 'completed', parcel: '2 × tote' })
  })
})
