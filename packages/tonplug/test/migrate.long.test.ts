import { createPayments } from '@tonplug/core'
import {
  postgresInbox,
  postgresOrderRepository,
  postgresSchemaVersion as VERSION,
  type Queryable,
} from '@tonplug/postgres'
import { hasPostgres, NEEDS_POSTGRES } from '@tonplug/test-support/postgres'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makePGlite, makePostgres, type TestDatabase } from './databases.js'
import { document, tonplug } from './run-command.js'

async function makeDatabase(make = makePostgres): Promise<TestDatabase> {
  const database = await make()
  onTestFinished(() => database.remove())
  return database
}

/** Returns the exit code of `migrate status` and its document. */
async function statusOf({ location }: TestDatabase) {
  const ended = await tonplug(['migrate', 'status', '--json'], { DATABASE_URL: location })
  expect(ended.stderr).toBe('')
  return { code: ended.code, document: document(ended) }
}

function upToDate({ location }: TestDatabase): object {
  const { protocol, host, pathname } = new URL(location)
  const database = `${protocol}//${host}${pathname}`
  return {
    code: 0,
    document: {
      database,
      version: VERSION,
      neededVersion: VERSION,
      isUpToDate: true,
      problems: [],
    },
  }
}

const ignore = (): undefined => undefined

/** Starts Payments without a change of the tables, and returns its health. */
async function healthOfPayments(db: Queryable): Promise<string> {
  const logger = { debug: ignore, info: ignore, warn: ignore, error: console.error }
  const orders = postgresOrderRepository(db)
  const payments = createPayments({ orders, inbox: postgresInbox(db), onPaid: ignore, logger })
  payments.start()
  const { status } = await payments.health()
  await payments.close()
  return status
}

describe.skipIf(!hasPostgres)(`migrate sql on ${NEEDS_POSTGRES}`, () => {
  it('prints SQL that creates the tables, from the version of the database', async () => {
    const database = await makeDatabase()
    const environment = { DATABASE_URL: database.location }
    const printed = document(await tonplug(['migrate', 'sql', '--json'], environment))
    expect(printed).toMatchObject({ versionBefore: 0, version: VERSION })
    // The document above has it.
    const { sql } = printed as { sql: string }
    await database.use((db) => db.query(sql))
    expect(await statusOf(database)).toEqual(upToDate(database))
    expect(await database.use(healthOfPayments)).toBe('up')
    const again = document(await tonplug(['migrate', 'sql', '--json'], environment))
    expect(again).toEqual({ versionBefore: VERSION, version: VERSION, sql: null })
  })

  it('contains only the steps after the version of the database', async () => {
    const database = await makeDatabase()
    const all = await tonplug(['migrate', 'sql', '--from', '0'])
    const step = await tonplug(['migrate', 'sql', '--from', String(VERSION)])
    expect(all.stdout).toContain('CREATE TABLE tonplug.reports')
    expect(step.stdout).not.toContain('CREATE TABLE tonplug.reports')
    await database.use((db) => db.query(all.stdout))
    expect(await tonplug(['migrate', 'sql'], { DATABASE_URL: database.location })).toEqual({
      code: 0,
      stdout: `-- The tables of tonplug are up to date, at version ${VERSION}.\n`,
      stderr: '',
    })
  })
})

describe.skipIf(!hasPostgres)(`migrate status on ${NEEDS_POSTGRES}`, () => {
  it('names what is missing, and how to add it, with exit code 1', async () => {
    const database = await makeDatabase()
    const environment = { DATABASE_URL: database.location }
    const before = await tonplug(['migrate', 'status'], environment)
    expect(before).toMatchObject({ code: 1, stderr: '' })
    expect(before.stdout).toContain(`version unknown; ${VERSION} is needed`)
    expect(before.stdout).toContain('- the schema tonplug does not exist')
    expect(before.stdout).toContain('npx tonplug migrate up')

    expect(await tonplug(['migrate', 'up'], environment)).toMatchObject({ code: 0 })
    expect(await statusOf(database)).toEqual(upToDate(database))

    await database.use((db) => db.query('ALTER TABLE tonplug.tasks DROP COLUMN lease_id'))
    const damaged = await tonplug(['migrate', 'status'], environment)
    expect(damaged.code).toBe(1)
    expect(damaged.stdout).toContain('- the column tonplug.tasks.lease_id does not exist')
    expect(damaged.stdout).not.toContain('migrate up')
    const sql = damaged.stdout.slice(damaged.stdout.indexOf('ALTER TABLE'))
    expect(sql).toBe('ALTER TABLE tonplug.tasks ADD COLUMN lease_id text;\n')
    await database.use((db) => db.query(sql))
    expect(await statusOf(database)).toEqual(upToDate(database))
  })
})

it('creates no PGlite to read its status', async () => {
  const database = await makeDatabase(makePGlite)
  const ended = await tonplug(['migrate', 'status', '-d', database.location])
  expect(ended).toMatchObject({ code: 1, stdout: '' })
  expect(ended.stderr).toContain('is not the folder of a PGlite')
})
