import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { postgresInboxReader } from '../src/inbox-reader.js'
import { migratePostgres } from '../src/migrate-postgres.js'
import { openDatabase, type OpenDatabaseOptions } from '../src/open-database.js'
import { postgresCursor } from '../src/postgres-cursor.js'
import { postgresInbox, type PostgresInboxOptions } from '../src/postgres-inbox.js'
import { postgresOrderRepository, type NewPostgresOrder } from '../src/postgres-order-repository.js'
import type { Queryable } from '../src/queryable.js'
import { createPGlite } from './databases.js'

const db = await createPGlite()
afterAll(() => db.close())

function refusal(message: string): unknown {
  return expect.objectContaining({ code: 'ERR_TONPLUG_CONFIGURATION', message })
}

describe('a misspelled option', () => {
  it('is rejected in the inbox, because orders would be completed separately', () => {
    // Callers without type checks can pass it, here and below.
    const misspelt: object = { withTransactions: () => undefined }
    expect(() => postgresInbox(db, misspelt)).toThrow(
      refusal('withTransactions: is not an option here; did you mean withTransaction?'),
    )
  })

  it('is rejected in the orders, because shops would share them', () => {
    const misspelt: object = { nmae: 'wholesale' }
    expect(() => postgresOrderRepository(db, misspelt)).toThrow(
      refusal('nmae: is not an option here; did you mean name?'),
    )
  })

  it('is rejected in the cursor, because watchers would share one', () => {
    const misspelt: object = { receiver: 'wholesale' }
    expect(() => postgresCursor(db, misspelt)).toThrow(
      refusal('receiver: is not an option here; it takes name'),
    )
  })

  it('is rejected in the database, because its orders would be stored in a folder', async () => {
    const misspelt: object = { connectionString: 'postgres://127.0.0.1/shop' }
    await expect(openDatabase(misspelt)).rejects.toEqual(
      refusal('connectionString: is not an option here; it takes url, folder'),
    )
  })
})

it.each([
  ['url', 'undefined', 'must be set; received "undefined" as a string'],
  ['url', '${DATABASE_URL}', 'must not be a reference to a variable'],
  ['url', 'postgres://shop:$PASSWORD@db.internal/shop', 'must not contain a missing value'],
  ['url', 'postgres://shop:sesame@undefined/shop', 'must not contain a missing value'],
  ['url', '"postgres://shop:sesame@db.internal/shop"', 'must not have quotes around it'],
  ['folder', 'undefined', 'must be set; received "undefined" as a string'],
  ['folder', '$HOME/shop', 'must not contain a missing value'],
])('S9 rejects the %s %s without its password', async (option, value, message) => {
  const opened = openDatabase({ [option]: value })
  await expect(opened).rejects.toThrow(`${option}: ${message}`)
  await expect(opened).rejects.not.toThrow(/sesame/)
})

it('accepts all options', async () => {
  const ofInbox: Required<PostgresInboxOptions> = {
    withTransaction: async () => Promise.reject(new Error('unused')),
  }
  expect(() => postgresInbox(db, ofInbox)).not.toThrow()
  expect(() => postgresCursor(db, { name: 'wholesale' })).not.toThrow()
  const folder = await mkdtemp(join(tmpdir(), 'tonplug-options-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await cp(inject('emptyPGlite').folder, folder, { recursive: true })
  const ofDatabase: Required<OpenDatabaseOptions> = { url: '', folder }
  const opened = await openDatabase(ofDatabase)
  await opened.close()
})

it('openDatabase reports a missing url when PGlite is not installed', async () => {
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
    stderr: expect.stringContaining(
      'url: a database without a url requires the package @electric-sql/pglite',
    ) as string,
  })
})

describe('an invalid database', () => {
  const ADDRESS = 'postgres://shop:sesame@db.internal/shop'
  it.each<[string, unknown]>([
    ['a string of 39 characters', ADDRESS],
    ['undefined', undefined],
    ['null', null],
    ['an object', { connectionString: ADDRESS }],
    ['an object', { query: { orders: {} } }],
    ['a promise', Promise.resolve({ db })],
    ['a function', openDatabase],
  ])('is rejected immediately, without its value in the error: %s', async (kind, given) => {
    // Callers without type checks can pass it.
    const invalid = given as Queryable
    const expected = refusal(
      `db: must be a pool with query(), for example \`new pg.Pool({ connectionString })\`, or the \`db\` of \`await openDatabase({ url })\`; received ${kind}`,
    )
    for (const use of [postgresInbox, postgresInboxReader, postgresOrderRepository, postgresCursor])
      expect(() => use(invalid)).toThrow(expected)
    await expect(migratePostgres(invalid)).rejects.toEqual(expected)
  })
})

it('rejects a database that returns no rows, for example one of TypeORM, with the fix', async () => {
  const dataSource = { query: async () => [] } as unknown as Queryable
  const found = postgresOrderRepository(dataSource).find({ reference: 'order-1' })
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
    ['order.recipient: must be an address or undefined; received null', { recipient: null }],
    [
      "order.asset: must be 'TON' or a jetton master, unless the order has `offers`; received undefined",
      { asset: undefined },
    ],
    [
      'order.rawAmount: must be a bigint of 0 or more, in base units; received 10',
      { rawAmount: 10 },
    ],
    [
      'order.reference: must be the reference that the payer will send, a non-empty string; received 7',
      { reference: 7 },
    ],
    ['order.merchant: must be a string; received 7', { merchant: 7 }],
    [
      'order.reference: must be at most 1024 characters, without NUL and lone surrogates; received a string of 2 characters',
      { reference: 'a\0' },
    ],
    [
      'order.bodyBase64Hash: must be the hash that the gateway returned, or undefined; received null',
      { bodyBase64Hash: null },
    ],
    [
      'order.createdAt: must be a valid Date or undefined; received a string of 10 characters',
      { createdAt: '2024-01-01' },
    ],
    [
      'order.createdAt: must be a valid Date or undefined; received an object',
      { createdAt: new Date('x') },
    ],
    ['order.data: must be data that JSON.stringify accepts; see cause', { data: { price: 1n } }],
  ])('is rejected: %s', async (message, fields) => {
    const orders = postgresOrderRepository(db)
    await expect(orders.create({ ...ORDER, ...fields })).rejects.toEqual(refusal(message))
  })

  it('is accepted with all fields', async () => {
    const full: Required<Omit<NewPostgresOrder, 'offers' | 'expiresAt'>> = {
      ...ORDER,
      merchant: 'shop',
      status: 'pending',
      recipient: ADDRESS,
      bodyBase64Hash: 'hash',
      createdAt: new Date(0),
    }
    expect(await postgresOrderRepository(db).create(full)).toBe(true)
    const offered: Required<NewPostgresOrder> = {
      ...full,
      reference: 'offered',
      rawAmount: undefined!,
      asset: undefined!,
      offers: [{ rawAmount: 1n, asset: 'TON' }],
      expiresAt: new Date(0),
    }
    expect(await postgresOrderRepository(db).create(offered)).toBe(true)
  })
})
