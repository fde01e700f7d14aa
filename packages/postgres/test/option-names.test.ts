import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { PGlite } from '@electric-sql/pglite'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { postgresInboxReader } from '../src/inbox-reader.js'
import { migratePostgres } from '../src/migrate-postgres.js'
import { openDatabase, type OpenDatabaseOptions } from '../src/open-database.js'
import { postgresCursor } from '../src/postgres-cursor.js'
import { postgresInbox, type PostgresInboxOptions } from '../src/postgres-inbox.js'
import { postgresOrderRepository, type NewPostgresOrder } from '../src/postgres-order-repository.js'
import type { Queryable } from '../src/queryable.js'

const db = new PGlite()
afterAll(() => db.close())

function refusal(message: string): unknown {
  return expect.objectContaining({ code: 'ERR_TONPLUG_CONFIGURATION', message })
}

describe('a misspelt option', () => {
  it('of the inbox is refused, since orders would be settled by themselves', () => {
    // What a caller without types may write, here and below.
    const misspelt: object = { withTransactions: () => undefined }
    expect(() => postgresInbox(db, misspelt)).toThrow(
      refusal('withTransactions: is not an option here; did you mean withTransaction?'),
    )
  })

  it('of the cursor is refused, since receivers would share one', () => {
    const misspelt: object = { receiver: 'wholesale' }
    expect(() => postgresCursor(db, misspelt)).toThrow(
      refusal('receiver: is not an option here; it takes name'),
    )
  })

  it('of the database is refused, since its orders would be in a folder', async () => {
    const misspelt: object = { connectionString: 'postgres://127.0.0.1/shop' }
    await expect(openDatabase(misspelt)).rejects.toEqual(
      refusal('connectionString: is not an option here; it takes url, folder'),
    )
  })
})

it('takes all options there are', async () => {
  const ofInbox: Required<PostgresInboxOptions> = {
    withTransaction: async () => Promise.reject(new Error('unused')),
  }
  expect(() => postgresInbox(db, ofInbox)).not.toThrow()
  expect(() => postgresCursor(db, { name: 'wholesale' })).not.toThrow()
  const ofDatabase: Required<OpenDatabaseOptions> = { url: '', folder: 'memory://' }
  const opened = await openDatabase(ofDatabase)
  await opened.close()
})

it('without a url and without PGlite it is the url that openDatabase asks for', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tonplug-without-pglite-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const here = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url))
  const scope = join(folder, 'node_modules/@tonplug')
  for (const part of ['package.json', 'dist'])
    await cp(here(part), join(scope, 'postgres', part), { recursive: true })
  await symlink(here('../core'), join(scope, 'core'))
  const script = `import { openDatabase } from '@tonplug/postgres'
    await openDatabase({ url: process.env.NO_SUCH_VARIABLE })`
  await writeFile(join(folder, 'shop.mjs'), script)
  const ended = promisify(execFile)(process.execPath, [join(folder, 'shop.mjs')])
  await expect(ended).rejects.toMatchObject({
    stderr: expect.stringContaining('url: no url was given, and a folder needs') as string,
  })
})

describe('what is no database', () => {
  const ADDRESS = 'postgres://shop:sesame@db.internal/shop'
  it.each<[string, unknown]>([
    ['is a text', ADDRESS],
    ['is undefined', undefined],
    ['is null', null],
    ['is an object without query()', { connectionString: ADDRESS }],
    ['is an object without query()', { query: { orders: {} } }],
    ['is a promise that nobody awaited', Promise.resolve({ db })],
    ['is a function', openDatabase],
  ])('%s: it is refused at once, and not shown', async (kind, given) => {
    // What a caller without types may write.
    const notOne = given as Queryable
    const expected = refusal(
      `db: ${kind}; give a pool, as \`new pg.Pool({ connectionString })\`, or the \`db\` of \`await openDatabase({ url })\``,
    )
    for (const use of [postgresInbox, postgresInboxReader, postgresOrderRepository, postgresCursor])
      expect(() => use(notOne)).toThrow(expected)
    await expect(migratePostgres(notOne)).rejects.toEqual(expected)
  })
})

it('says what to do with a database whose answers have no rows, as that of TypeORM', async () => {
  const dataSource = { query: async () => [] } as unknown as Queryable
  const found = postgresOrderRepository(dataSource).findByReference('order-1')
  await expect(found).rejects.toMatchObject({
    code: 'ERR_TONPLUG_REPOSITORY',
    cause: { message: expect.stringContaining('rows: await dataSource.query(text, values)') },
  })
})

describe('an order', () => {
  const ORDER = { reference: 'order-1', rawAmount: 1n, asset: 'TON', data: null }
  const ADDRESS = 'UQApAdacOHpJfIJ01ztI2pzn9rjZHCGcvQwGSOjgAm3E5VkV'
  it.each<[string, object]>([
    [
      'order.recipientAddr: is not an option here; did you mean recipient?',
      { recipientAddr: ADDRESS },
    ],
    ['order.recipient: is null; give an address, or leave it out', { recipient: null }],
    [
      "order.asset: is undefined; give 'TON' or the address of the jetton's master",
      { asset: undefined },
    ],
    ['order.rawAmount: is 10; give base units as a bigint of zero or more', { rawAmount: 10 }],
    ['order.reference: is 7; give the reference that the gateway returned', { reference: 7 }],
    [
      'order.bodyBase64Hash: is null; give what the gateway returned, or leave it out',
      { bodyBase64Hash: null },
    ],
    ['order.createdAt: is "2024-01-01"; give a Date, or leave it out', { createdAt: '2024-01-01' }],
    [
      'order.createdAt: is Invalid Date; give a Date, or leave it out',
      { createdAt: new Date('x') },
    ],
    ['order.data: cannot be written as JSON; see cause', { data: { price: 1n } }],
  ])('is refused: %s', async (message, fields) => {
    const orders = postgresOrderRepository(db)
    await expect(orders.create({ ...ORDER, ...fields })).rejects.toEqual(refusal(message))
  })

  it('is taken with all fields there are', async () => {
    const full: Required<NewPostgresOrder> = {
      ...ORDER,
      recipient: ADDRESS,
      bodyBase64Hash: 'hash',
      createdAt: new Date(0),
    }
    expect(await postgresOrderRepository(db).create(full)).toBe(true)
  })
})
