import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { PGlite } from '@electric-sql/pglite'

// In PostgreSQL this would be a migration.
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
  -- One message at a time, whatever the worker does.
  CREATE UNIQUE INDEX one_on_its_way ON payouts ((true)) WHERE status IN ('signed', 'sent');
  -- A seqno pays one payout.
  CREATE UNIQUE INDEX one_by_seqno ON payouts (seqno);
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
