import { createPayments } from '@tonplug/core'
import { createTestLogger, transferCompleted } from '@tonplug/testing'
import { hasPostgres } from '@tonplug/test-support/postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresInbox } from '../src/postgres-inbox.js'
import { postgresOrderRepository } from '../src/postgres-order-repository.js'
import { openPGlite, openPostgres, type TestDatabase } from './databases.js'

const REFUSE = `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN RAISE EXCEPTION 'no space left' USING ERRCODE = '53100'; END $$;`
const TRIGGER = `CREATE TRIGGER refuse BEFORE INSERT ON tonplug.reports EXECUTE FUNCTION refuse()`

describe.each([...(hasPostgres ? ['PostgreSQL'] : []), 'PGlite'])(
  'refused reports on %s',
  (kind) => {
    let database: TestDatabase
    beforeAll(async () => {
      database = await (kind === 'PGlite' ? openPGlite() : openPostgres())
    })
    afterAll(() => database.close())

    it('are a problem of health() until one is stored', async () => {
      const orders = postgresOrderRepository(database.db)
      const inbox = postgresInbox(database.db)
      const payments = createPayments({ orders, inbox, logger: createTestLogger() })
      const transfer = transferCompleted().data
      const submit = () =>
        payments.submit({ source: 'chain', transfer, rawBody: JSON.stringify(transferCompleted()) })
      expect(await payments.health()).toMatchObject({ status: 'up' })
      await database.db.query(REFUSE, [])
      await database.db.query(TRIGGER, [])
      await expect(submit()).rejects.toThrow('inbox.reports.store')
      const { status, message } = await payments.health()
      expect([status, message]).toEqual(['degraded', expect.stringContaining('53100, disk full')])
      await database.db.query('DROP TRIGGER refuse ON tonplug.reports', [])
      await submit()
      expect(await payments.health()).toMatchObject({ status: 'up' })
      await payments.close()
    })
  },
)
