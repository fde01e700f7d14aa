import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { hasPostgres } from '@tonplug/test-support/postgres'
import { migratePostgres } from '../src/migrate-postgres.js'
import { postgresOrderRepository } from '../src/postgres-order-repository.js'
import { mappedOrderRepository } from '../src/mapped-order-repository.js'

const ADVICE = 'check its connection string, for example DATABASE_URL, and see cause'

function poolAt(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString })
  onTestFinished(() => pool.end())
  return pool
}

it('names the connection string when no server listens', async () => {
  const db = poolAt('postgres://shop@127.0.0.1:1/shop')
  const problem = `the database cannot be opened (ECONNREFUSED); ${ADVICE}`
  const orders = mappedOrderRepository(db, {
    table: 'orders',
    columns: { reference: 'id', rawAmount: 'amount', status: 'status', payment: 'payment' },
    asset: 'TON',
    statuses: { pending: 'open', completed: 'paid', cancelled: 'cancelled' },
  })
  await expect(orders.checkAccess()).rejects.toThrow(`orders.checkAccess: ${problem}`)
  await expect(migratePostgres(db)).rejects.toThrow(`migratePostgres: ${problem}`)
})

it('finds the code of an error that a library has wrapped', async () => {
  const cause = Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' })
  const db = { query: () => Promise.reject(new Error('Failed query', { cause })) }
  const problem = `the database cannot be opened (ENOTFOUND); ${ADVICE}`
  await expect(migratePostgres(db)).rejects.toThrow(problem)
})

it.skipIf(!hasPostgres)(
  'names the connection string when the database does not exist',
  async () => {
    const url = new URL(process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432')
    url.pathname = '/tonplug_no_such_database'
    const create = () =>
      postgresOrderRepository(poolAt(url.href)).create({
        reference: 'order-1',
        rawAmount: 1n,
        data: {},
        asset: 'TON',
      })
    await expect(create()).rejects.toThrow(`the database cannot be opened (3D000); ${ADVICE}`)
  },
)
