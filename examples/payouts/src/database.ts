import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'

// In a real app this is a migration.
const CREATE_TABLES = `
  CREATE TABLE payouts (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    reference    text NOT NULL UNIQUE,
    recipient     text NOT NULL,
    -- Jetton amounts reach 2^120, far beyond bigint columns.
    amount       numeric(78, 0) NOT NULL CHECK (amount > 0),
    jetton       text,
    comment      text,
    status       text NOT NULL DEFAULT 'queued'
                 CHECK (status IN ('queued', 'signed', 'sent', 'paid', 'failed')),
    boc          text,
    message_hash text UNIQUE,
    seqno        bigint,
    valid_until  bigint,
    trace_id     text,
    reason       text,
    settled_at   timestamptz,
    CHECK (num_nonnulls(boc, message_hash, seqno, valid_until) IN (0, 4)),
    CHECK (status <> 'queued' OR boc IS NULL),
    CHECK (status NOT IN ('signed', 'sent', 'paid') OR boc IS NOT NULL),
    CHECK ((status = 'failed') = (reason IS NOT NULL))
  );
  -- At most one message in flight.
  CREATE UNIQUE INDEX one_in_flight ON payouts ((true)) WHERE status IN ('signed', 'sent');
  -- A seqno is used by one payout.
  CREATE UNIQUE INDEX one_per_seqno ON payouts (seqno);
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
