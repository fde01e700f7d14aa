import { createPayments, createWebhookReceiver } from '@tonplug/core'
import { createOperator } from '@tonplug/core/operator'
import { createTestLogger, signPayload, transferCompleted } from '@tonplug/testing'
import { hasPostgres } from '@tonplug/test-support/postgres'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { postgresInbox } from '../src/postgres-inbox.js'
import { postgresOrderRepository } from '../src/postgres-order-repository.js'
import { openPGlite, openPostgres, type TestDatabase } from './databases.js'
import { SECRET } from './shop.js'

const { rawAmount } = transferCompleted().data
const ORDER = { rawAmount: BigInt(rawAmount), asset: 'TON', data: null }
const UNUSABLE = ['a\u0000', 'a\ud800', 'a\udfff']

describe(`order keys on ${hasPostgres ? 'PostgreSQL' : 'PGlite'}`, () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await (hasPostgres ? openPostgres() : openPGlite())
  })
  afterAll(() => database.close())
  beforeEach(() => database.clear())

  it.each(UNUSABLE)('never reads the reference %j of a webhook as a\uFFFD', async (reference) => {
    const orders = postgresOrderRepository(database.db)
    await orders.create({ ...ORDER, reference: 'a\uFFFD' })
    const inbox = postgresInbox(database.db)
    const payments = createPayments({ orders, inbox, logger: createTestLogger() })
    const receiver = createWebhookReceiver({ payments, secrets: SECRET })
    const { body, headers } = signPayload(transferCompleted({ reference }), SECRET)
    const answer = await receiver.receive({ headers, rawBody: body })
    expect(answer).toMatchObject({
      status: 200,
      decision: { kind: 'unknown_order', reference: '' },
    })
    expect(await orders.find({ reference: 'a\uFFFD' })).toMatchObject({ status: 'pending' })
    expect(await createOperator({ payments }).list({ reference })).toEqual([])
    expect(await createOperator({ payments }).list({ reference: 'a\uFFFD' })).toEqual([])
    expect(await createOperator({ payments }).list()).toMatchObject([
      { action: 'assign', reference: '' },
    ])
    await receiver.close()
    await payments.close()
  })

  it.each(UNUSABLE)('refuses or ignores the reference %j in every method', async (reference) => {
    const orders = postgresOrderRepository(database.db)
    const exact = { reference: 'a\uFFFD', merchant: 'a\uFFFD' }
    await orders.create({ ...ORDER, ...exact })
    await expect(orders.create({ ...ORDER, reference })).rejects.toThrow(/lone surrogates/)
    for (const key of [
      { ...exact, reference },
      { ...exact, merchant: reference },
    ]) {
      expect(await orders.find(key)).toBeNull()
      expect([await orders.cancel(key), await orders.expire(key)]).toEqual([false, false])
    }
    expect(await orders.findByReferences([reference])).toEqual([])
    expect(await orders.find(exact)).toMatchObject({ status: 'pending' })
  })
})
