import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migratePostgres } from '../src/migrate-postgres.js'
import { postgresInbox } from '../src/postgres-inbox.js'
import { postgresOrderRepository } from '../src/postgres-order-repository.js'
import { hasPostgres, NEEDS_POSTGRES } from '@tonplug/test-support/postgres'
import { openPostgres, type TestPostgres } from './databases.js'
import { newReport } from './reports.js'

const ROLE = `tonplug_test_${randomUUID().replaceAll('-', '')}`

describe.skipIf(!hasPostgres)(`a role with few privileges on ${NEEDS_POSTGRES}`, () => {
  let database: TestPostgres
  let db: pg.Pool
  beforeAll(async () => {
    database = await openPostgres()
    await migratePostgres(database.db)
    await database.db.query(`CREATE ROLE ${ROLE};
      GRANT USAGE ON SCHEMA tonplug TO ${ROLE};
      GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA tonplug TO ${ROLE}`)
    db = new pg.Pool({ connectionString: database.url, options: `-c role=${ROLE}`, max: 2 })
  })
  afterAll(async () => {
    await db.end()
    await database.db.query(`DROP OWNED BY ${ROLE}; DROP ROLE ${ROLE}`)
    await database.close()
  })

  it('can use the inbox and the orders with SELECT, INSERT, UPDATE and DELETE', async () => {
    expect((await postgresInbox(db).stats()).problem).toBeUndefined()
    await postgresOrderRepository(db).checkAccess()
    await postgresInbox(db).reports.store(newReport())
  })

  it.each([
    ['UPDATE', 'reports'],
    ['INSERT', 'tasks'],
    ['DELETE', 'tasks'],
    ['INSERT', 'payments'],
    ['UPDATE', 'payments'],
    ['UPDATE', 'credits'],
    ['INSERT', 'uses'],
    ['DELETE', 'subscriptions'],
    ['UPDATE', 'policies'],
    ['SELECT', 'actions'],
    ['INSERT', 'actions'],
  ])('S80 is reported when it lacks %s on %s', async (privilege, table) => {
    await database.db.query(`REVOKE ${privilege} ON tonplug.${table} FROM ${ROLE}`)
    const { problem } = await postgresInbox(db).stats()
    await database.db.query(`GRANT ${privilege} ON tonplug.${table} TO ${ROLE}`)
    expect(problem).toBe(
      `the role ${ROLE} has no ${privilege} privilege on tonplug.${table}. Run: GRANT ${privilege} ON tonplug.${table} TO ${ROLE}`,
    )
  })

  it('S80 is reported when it cannot complete orders', async () => {
    await database.db.query(`REVOKE UPDATE ON tonplug.orders FROM ${ROLE}`)
    const checked = postgresOrderRepository(db).checkAccess()
    await expect(checked).rejects.toMatchObject({
      code: 'ERR_TONPLUG_REPOSITORY',
      message: expect.stringContaining('no UPDATE privilege on tonplug.orders') as string,
    })
    await database.db.query(`GRANT UPDATE ON tonplug.orders TO ${ROLE}`)
  })

  it('S80 is reported when the database is read-only', async () => {
    const options = '-c default_transaction_read_only=on'
    const replica = new pg.Pool({ connectionString: database.url, options, max: 1 })
    const { problem } = await postgresInbox(replica).stats()
    const checked = postgresOrderRepository(replica).checkAccess()
    await expect(checked).rejects.toThrow('read-only')
    await replica.end()
    expect(problem).toMatch('the database is read-only')
  })
})
