import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'

// In a real app this is a migration.
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
 * Opens PGlite (PostgreSQL in this process) on a folder. Only one process at a time may open it.
 *
 * A new database is created in a temporary folder and then renamed, so that a killed start never leaves an incomplete
 * database.
 */
export async function openDatabase(dataDir: string): Promise<PGlite> {
  if (!existsSync(dataDir)) {
    const temporary = `${dataDir}.new`
    await rm(temporary, { recursive: true, force: true })
    await mkdir(dirname(dataDir), { recursive: true })
    const database = await PGlite.create(temporary)
    await database.exec(CREATE_TABLES)
    await database.close()
    await rename(temporary, dataDir)
  }
  // PostgreSQL does not start when a process was killed after it created this file and before it filled it.
  await rm(join(dataDir, 'postmaster.pid'), { force: true })
  return PGlite.create(dataDir)
}
