import type { AnchorStore } from '@tonplug/core/proof'
import { databaseOf } from './database.js'
import type { Queryable, Row } from './queryable.js'
import { text } from './rows.js'
import * as sql from './sql/anchors.js'

/** All of them are blocks of the masterchain. */
const MASTERCHAIN = { workchain: -1, shard: 1n << 63n }

/**
 * Stores the newest proven key block of each network, and the newest proven transaction of each account, in PostgreSQL or
 * PGlite, for `signedBlocks`. All processes share them, and neither goes back.
 * @param db see `postgresInbox`.
 * @throws {RepositoryError} from all methods when the database cannot be reached.
 * @example
 * const source = signedBlocks({ liteserver, anchors: postgresAnchors(pool) })
 */
export function postgresAnchors(db: Queryable): AnchorStore {
  const database = databaseOf(db)
  return {
    async loadBlock(globalId) {
      const [row] = await database.run(sql.loadBlock, [String(globalId)])
      if (row === undefined) return undefined
      const hashes = { rootHash: bytesOf(row, 'root_hash'), fileHash: bytesOf(row, 'file_hash') }
      return { ...MASTERCHAIN, seqno: Number(text(row, 'seqno')), ...hashes }
    },
    async saveBlock({ id: { seqno, rootHash, fileHash }, globalId }) {
      const values = [String(globalId), String(seqno), hex(rootHash), hex(fileHash)]
      await database.run(sql.saveBlock, values)
    },
    async loadTransaction({ globalId, address }) {
      const [row] = await database.run(sql.loadTransaction, [String(globalId), address])
      return row && { lt: BigInt(text(row, 'lt')), hash: bytesOf(row, 'hash') }
    },
    async saveTransaction({ globalId, address }, { lt, hash }) {
      const values = [String(globalId), address, lt.toString(), hex(hash)]
      await database.run(sql.saveTransaction, values)
    },
  }
}

function bytesOf(row: Row, name: string): Uint8Array {
  return new Uint8Array(Buffer.from(text(row, name), 'hex'))
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
