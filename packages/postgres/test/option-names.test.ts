import { PGlite } from '@electric-sql/pglite'
import { afterAll, describe, expect, it } from 'vitest'
import { openDatabase, type OpenDatabaseOptions } from '../src/open-database.js'
import { postgresCursor } from '../src/postgres-cursor.js'
import { postgresInbox, type PostgresInboxOptions } from '../src/postgres-inbox.js'

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
