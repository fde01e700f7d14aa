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
      expect(await one.loadBlock(-239)).toBeUndefined()
      const seqnos = [4_000_000_000, 3, 70_000_000, 12]
      await Promise.all(
        seqnos.map((seqno, index) =>
          (index % 2 === 0 ? one : other).saveBlock({ id: at(seqno), globalId: -239 }),
        ),
      )
      await other.saveBlock({ id: at(5), globalId: -3 })
      expect(await one.loadBlock(-239)).toEqual(at(4_000_000_000))
      expect(await one.loadBlock(-3)).toEqual(at(5))
    })

    it('never goes back, and keeps its block when another one has its number', async () => {
      const anchors = postgresAnchors(database.db)
      await anchors.saveBlock({ id: at(9), globalId: -239 })
      await anchors.saveBlock({ id: at(8), globalId: -239 })
      await anchors.saveBlock({ id: { ...at(9), rootHash: new Uint8Array(32) }, globalId: -239 })
      expect(await anchors.loadBlock(-239)).toEqual(at(9))
    })

    it('stores the newest transaction of each account, whichever process saves it', async () => {
      const [one, other] = [postgresAnchors(database.db), postgresAnchors(database.db)]
      const account = { globalId: -239, address: `0:${'a'.repeat(64)}` }
      const idOf = (lt: bigint) => ({ lt, hash: new Uint8Array(32).fill(Number(lt % 256n)) })
      expect(await one.loadTransaction(account)).toBeUndefined()
      const newest = idOf(2n ** 64n - 1n)
      await Promise.all([
        one.saveTransaction(account, idOf(7n)),
        other.saveTransaction(account, newest),
        one.saveTransaction(account, idOf(91_472_078_000_007n)),
      ])
      await other.saveTransaction(account, { ...newest, hash: new Uint8Array(32) })
      const elsewhere = { ...account, globalId: -3 }
      await one.saveTransaction(elsewhere, idOf(5n))
      expect(await one.loadTransaction(account)).toEqual(newest)
      expect(await one.loadTransaction(elsewhere)).toEqual(idOf(5n))
    })
  },
)
