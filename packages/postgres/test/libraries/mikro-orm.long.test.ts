import { hasPostgres, NEEDS_POSTGRES } from '@tonplug/test-support/postgres'
import { describe, expect, it, onTestFinished } from 'vitest'
import { fromMikroOrm } from '../../src/executors/from-mikro-orm.js'
import { mappedOrderRepository } from '../../src/mapped-order-repository.js'
import { openPostgres } from '../databases.js'
import { describeLibrary } from './describe-library.js'
import { CONNECTIONS, type OpenLibrary } from './library.js'
import { CREATE_SHOP, insertOrder, MAPPING } from './shop-table.js'

const isSupported = Number(process.versions.node.split('.')[0]) >= 22

describe.skipIf(!isSupported)('MikroORM 7, which requires Node 22', () => {
  describeLibrary('MikroORM', openMikroOrm)

  describe.skipIf(!hasPostgres)(`in a request on ${NEEDS_POSTGRES}`, () => {
    it('keeps a transition outside of the transaction that is open around the request', async () => {
      const database = await openPostgres()
      onTestFinished(() => database.close())
      await database.db.query(CREATE_SHOP)
      const { RequestContext } = await import('@mikro-orm/core')
      const orm = await connect(database.url)
      onTestFinished(() => orm.close())
      const key = { reference: 'order-1', merchant: '' }
      await insertOrder(database.db, { ...key, rawAmount: 1n, asset: 'TON', status: 'pending' })
      const inRequest = RequestContext.create(orm.em, () =>
        orm.em.transactional(async () => {
          // As a provider of a request would create it.
          const orders = mappedOrderRepository(fromMikroOrm(orm.em), MAPPING)
          expect(
            await orders.fail(key, { txHash: 'f', traceId: '', status: 'error', date: '' }),
          ).toBe('applied')
          throw new Error('the request fails')
        }),
      )
      await expect(inRequest).rejects.toThrow('the request fails')
      const order = await mappedOrderRepository(database.db, MAPPING).find(key)
      expect(order?.status).toBe('failed')
    })
  })
})

async function openMikroOrm(url: string): Promise<OpenLibrary> {
  const orm = await connect(url)
  return {
    db: fromMikroOrm(orm.em),
    inTransaction: (work) => orm.em.fork().transactional((em) => work(fromMikroOrm(em))),
    close: () => orm.close(),
  }
}

async function connect(url: string) {
  const { EntitySchema, MikroORM } = await import('@mikro-orm/postgresql')
  const item = new EntitySchema({
    name: 'Item',
    properties: { id: { type: 'number', primary: true } },
  })
  return MikroORM.init({ clientUrl: url, entities: [item], pool: { max: CONNECTIONS } })
}
