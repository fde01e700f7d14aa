import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createPayments } from '@tonplug/core'
import {
  postgresInbox,
  postgresOrderRepository,
  postgresSchemaVersion as VERSION,
  type Queryable,
} from '@tonplug/postgres'
import { hasPostgres, NEEDS_POSTGRES } from '@tonplug/test-support/postgres'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as migrateDrizzle } from 'drizzle-orm/node-postgres/migrator'
import knexOf from 'knex'
import pg from 'pg'
import { DataSource, type MigrationInterface } from 'typeorm'
import { describe, expect, it, onTestFinished } from 'vitest'
import { writeMigration } from '../src/migrations/write-migration.js'
import { makePGlite, makePostgres, type TestDatabase } from './databases.js'
import { document, tonplug } from './run-command.js'

/** Inside of the package, so that the test can import TypeScript from it. */
const GENERATED = fileURLToPath(new URL('../.vitest/', import.meta.url))

interface WrittenMigration {
  folder: string
  path: string
  url: string
}

/** Runs a written migration with the real tool, and tries to revert it. */
const TOOLS = {
  async sql({ path, url }: WrittenMigration) {
    const client = new pg.Client(url)
    await client.connect()
    await client.query(readFileSync(path, 'utf8'))
    await client.end()
  },
  async drizzle({ folder, url }: WrittenMigration) {
    const pool = new pg.Pool({ connectionString: url })
    await migrateDrizzle(drizzle(pool), { migrationsFolder: folder })
    await pool.end()
  },
  async typeorm({ path, url }: WrittenMigration) {
    // The file exports one class.
    const exported = (await import(pathToFileURL(path).href)) as object
    const migrations = Object.values(exported) as (new () => MigrationInterface)[]
    const source = await new DataSource({ type: 'postgres', url, migrations }).initialize()
    expect(await source.runMigrations()).toHaveLength(1)
    expect(await source.runMigrations()).toEqual([])
    await expect(source.undoLastMigration()).rejects.toThrow('cannot be reverted')
    await source.destroy()
  },
  async knex({ folder, url }: WrittenMigration) {
    const knex = knexOf({ client: 'pg', connection: url, migrations: { directory: folder } })
    await knex.migrate.latest()
    await expect(knex.migrate.rollback()).rejects.toThrow('cannot be reverted')
    await knex.destroy()
  },
}

async function makeFolder(): Promise<string> {
  await mkdir(GENERATED, { recursive: true })
  const folder = await mkdtemp(join(GENERATED, 'migrations-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

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

describe.skipIf(!hasPostgres)(`a migration that the command writes, on ${NEEDS_POSTGRES}`, () => {
  it.each(Object.entries(TOOLS))('is run by the tool of the format %s', async (format, run) => {
    const database = await makeDatabase()
    const folder = await makeFolder()
    const out = format === 'sql' ? join(folder, 'deep/migration.sql') : folder
    const written = await tonplug(
      ['migrate', 'sql', '--format', format, '--out', out, '--json'],
      // The version of the tables is read from the database.
      { DATABASE_URL: database.location },
    )
    expect(document(written)).toMatchObject({ versionBefore: 0, version: VERSION })
    // The document above has it.
    const { path, text } = document(written) as { path: string; text: string }
    expect(readFileSync(path, 'utf8')).toBe(text)

    await run({ folder, path, url: database.location })
    expect(await statusOf(database)).toEqual(upToDate(database))
    expect(await database.use(healthOfPayments)).toBe('up')
    const again = await tonplug(['migrate', 'sql', '--format', format, '--out', out], {
      DATABASE_URL: database.location,
    })
    expect(again).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('up to date') as string,
    })
  })

  it('follows the migrations that Drizzle has already run', async () => {
    const database = await makeDatabase()
    const folder = await makeFolder()
    const run = () => TOOLS.drizzle({ folder, path: '', url: database.location })
    await mkdir(join(folder, 'meta'))
    await writeFile(join(folder, '0000_shop.sql'), 'CREATE TABLE shop (id integer)')
    // Written by a computer whose clock is ahead.
    const when = Date.UTC(2100, 0)
    const entry = { idx: 0, version: '7', when, tag: '0000_shop', breakpoints: true }
    const journal = join(folder, 'meta/_journal.json')
    await writeFile(
      journal,
      JSON.stringify({ version: '7', dialect: 'postgresql', entries: [entry] }),
    )
    await run()
    await tonplug(['migrate', 'sql', '--from', '0', '--format', 'drizzle', '--out', folder])
    await run()
    expect(await statusOf(database)).toEqual(upToDate(database))
    expect(JSON.parse(readFileSync(journal, 'utf8'))).toMatchObject({
      entries: [entry, { idx: 1, version: '7', when: when + 1, tag: `0001_tonplug_${VERSION}` }],
    })
  })

  it.each(['typeorm', 'knex'] as const)(
    'keeps every character in the format %s',
    async (format) => {
      const database = await makeDatabase()
      const folder = await makeFolder()
      const odd = '? $1 ` ${x} \\n'
      const sql = `CREATE TABLE odd AS SELECT '${odd}' AS text`
      const path = writeMigration(format, { sql, version: 2, createdAt: new Date() }, folder)
      await TOOLS[format]({ folder, path, url: database.location })
      const { rows } = await database.use((db) => db.query('SELECT text FROM odd'))
      expect(rows).toEqual([{ text: odd }])
    },
  )

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

  it('is not written over another file', async () => {
    const folder = await makeFolder()
    const path = join(folder, 'migration.sql')
    await writeFile(path, 'SELECT 1')
    const ended = await tonplug(['migrate', 'sql', '--from', '0', '--out', path])
    expect(ended).toMatchObject({ code: 1, stdout: '' })
    expect(ended.stderr).toContain(`${path} exists and was not changed`)
    expect(readFileSync(path, 'utf8')).toBe('SELECT 1')
  })

  it.each(['{ "dialect": "mysql", "entries": [] }', '<<<<<<< HEAD'])(
    'is not added to the journal %s',
    async (journal) => {
      const folder = await makeFolder()
      await mkdir(join(folder, 'meta'))
      await writeFile(join(folder, 'meta/_journal.json'), journal)
      const args = ['migrate', 'sql', '--from', '0', '--format', 'drizzle', '--out', folder]
      const ended = await tonplug(args)
      expect(ended).toMatchObject({ code: 1, stdout: '' })
      expect(ended.stderr).toContain('must be JSON with the dialect "postgresql"')
    },
  )
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
