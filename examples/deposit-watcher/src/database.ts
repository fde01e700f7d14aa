import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { PGlite } from '@electric-sql/pglite'

// In PostgreSQL this would be a migration.
const CREATE_TABLES = `
  CREATE TABLE IF NOT EXISTS credits (
    tx_hash      text NOT NULL,
    message_hash text NOT NULL,
    address      text NOT NULL,
    asset        text NOT NULL,
    -- Jetton amounts reach 2^120, far beyond bigint columns.
    amount       numeric(78, 0) NOT NULL CHECK (amount > 0),
    sender       text NOT NULL,
    at           timestamptz NOT NULL,
    PRIMARY KEY (tx_hash, message_hash)
  );
  CREATE TABLE IF NOT EXISTS balances (
    address text NOT NULL,
    asset   text NOT NULL,
    amount  numeric(78, 0) NOT NULL,
    PRIMARY KEY (address, asset)
  );
  CREATE TABLE IF NOT EXISTS cursors (
    source   text PRIMARY KEY,
    position jsonb NOT NULL
  );
`

/**
 * Opens PGlite, PostgreSQL in this process, over a folder. One process at a time may have it open.
 *
 * A new database is made beside the folder and moved there when it is whole: a start that is killed half-way leaves
 * nothing that the next one would take for a database.
 */
export async function openDatabase(dataDir: string): Promise<PGlite> {
  if (!existsSync(dataDir)) {
    const unfinished = `${dataDir}.new`
    await rm(unfinished, { recursive: true, force: true })
    await mkdir(dirname(dataDir), { recursive: true })
    const database = await PGlite.create(unfinished)
    await database.exec(CREATE_TABLES)
    await database.close()
    await rename(unfinished, dataDir)
  }
  return PGlite.create(dataDir)
}
