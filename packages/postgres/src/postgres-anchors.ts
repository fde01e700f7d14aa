import type { AnchorStore } from '@tonplug/core/proof'
import { databaseOf } from './database.js'
import type { Queryable } from './queryable.js'
import { text } from './rows.js'
import * as sql from './sql/anchors.js'

/** All of them are blocks of the masterchain. */
const MASTERCHAIN = { workchain: -1, shard: 1n << 63n }

/**
 * Stores the newest proven key block of each network in PostgreSQL or PGlite, for `signedBlocks`. All processes share it, and
 * it never goes back.
 * @param db see `postgresInbox`.
 * @throws {RepositoryError} from both methods when the database cannot be reached.
 * @example
 * const source = signedBlocks({ liteserver, trusted, anchors: postgresAnchors(pool) })
 */
export function postgresAnchors(db: Queryable): AnchorStore {
  const database = databaseOf(db)
  return {
    async load(globalId) {
      const [row] = await database.run(sql.loadAnchor, [String(globalId)])
      if (row === undefined) return undefined
      const bytes = (name: string): Uint8Array =>
        new Uint8Array(Buffer.from(text(row, name), 'hex'))
      const hashes = { rootHash: bytes('root_hash'), fileHash: bytes('file_hash') }
      return { ...MASTERCHAIN, seqno: Number(text(row, 'seqno')), ...hashes }
    },
    async save({ id: { seqno, rootHash, fileHash }, globalId }) {
      const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
      const values = [String(globalId), String(seqno), hex(rootHash), hex(fileHash)]
      await database.run(sql.saveAnchor, values)
    },
  }
}
