import { describeJoinedOrders, describeOrderRepository } from '@tonplug/testing'
import type { Order } from '@tonplug/core'
import { DataSource } from 'typeorm'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { openDatabase } from '../src/database.js'
import { CreateTables1767614400000 } from '../src/orders/create-tables.js'
import { OrderEntity } from '../src/orders/order.entity.js'
import { paymentStores } from '../src/payments/payment-stores.js'
import { kinds } from './databases.js'

describe.each(kinds.filter(({ isSkipped }) => !isSkipped))('$kind', ({ create }) => {
  let source: DataSource
  let close: () => Promise<void>
  beforeAll(async () => {
    const { settings, drop } = await create()
    const database = await openDatabase(settings)
    const { url, poolSize } = database
    const migrations = [CreateTables1767614400000]
    source = new DataSource({
      type: 'postgres',
      url,
      poolSize,
      entities: [OrderEntity],
      migrations,
    })
    await source.initialize()
    await source.runMigrations()
    close = async () => {
      await source.destroy()
      await database.close()
      await drop()
    }
  })
  afterAll(() => close())

  async function insert({
    payment: _payment,
    failure: _failure,
    merchant: _merchant,
    offers: _offers,
    expiresAt: _expiresAt,
    rawAmount = 0n,
    asset = 'TON',
    createdAt,
    recipient = null,
    bodyBase64Hash = null,
    ...order
  }: Order): Promise<void> {
    const time = createdAt ?? new Date()
    const row = {
      ...order,
      rawAmount,
      asset,
      recipient,
      bodyBase64Hash,
      item: 'cap',
      createdAt: time,
    }
    await source.manager.insert(OrderEntity, row)
  }

  describeOrderRepository(
    'TypeORM',
    async () => {
      await source.manager.deleteAll(OrderEntity)
      return { repository: paymentStores(source).orders, insert }
    },
    { describe, it },
    { merchants: false, offers: false, list: true },
  )

  describeJoinedOrders(
    'TypeORM',
    async () => {
      await source.manager.deleteAll(OrderEntity)
      const { inbox, orders } = paymentStores(source)
      // Creates the tables.
      await inbox.stats()
      for (const table of ['tasks', 'reports', 'payments', 'uses', 'credit_hashes', 'credits']) {
        await source.query(`DELETE FROM tonplug.${table}`)
      }
      return { inbox, repository: orders, insert }
    },
    { describe, it },
    { merchants: false },
  )
})
