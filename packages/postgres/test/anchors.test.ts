import { hasPostgres } from '@tonplug/test-support/postgres'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { migratePostgres } from '../src/migrate-postgres.js'
import { postgresAnchors } from '../src/postgres-anchors.js'
import { openPGlite, openPostgres, type TestDatabase } from './databases.js'

/** A block whose hashes tell its number. */
function at(seqno: number) {
  const hash = new Uint8Array(32).fill(seqno % 256)
  return {
    workchain: -1,
    shard: 1n << 63n,
    seqno,
    rootHash: hash,
    fileHash: hash.map((one) => ~one),
  }
}

describe.each(hasPostgres ? ['PGlite', 'PostgreSQL'] : ['PGlite'])(
  'postgresAnchors on %s',
  (name) => {
    let database: TestDatabase
    beforeAll(async () => {
      database = await (name === 'PGlite' ? openPGlite() : openPostgres())
      await migratePostgres(database.db)
    })
    afterAll(() => database.close())
    beforeEach(() => database.clear())

    it('stores the newest block of each network, whichever process saves it', async () => {
      const [one, other] = [postgresAnchors(database.db), postgresAnchors(database.db)]
      expect(await one.load(-239)).toBeUndefined()
      const seqnos = [4_000_000_000, 3, 70_000_000, 12]
      await Promise.all(
        seqnos.map((seqno, index) =>
          (index % 2 === 0 ? one : other).save({ id: at(seqno), globalId: -239 }),
        ),
      )
      await other.save({ id: at(5), globalId: -3 })
      expect(await one.load(-239)).toEqual(at(4_000_000_000))
      expect(await one.load(-3)).toEqual(at(5))
    })

    it('never goes back, and keeps its block when another one has its number', async () => {
      const anchors = postgresAnchors(database.db)
      await anchors.save({ id: at(9), globalId: -239 })
      await anchors.save({ id: at(8), globalId: -239 })
      await anchors.save({ id: { ...at(9), rootHash: new Uint8Array(32) }, globalId: -239 })
      expect(await anchors.load(-239)).toEqual(at(9))
    })
  },
)
