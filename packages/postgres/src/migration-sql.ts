import { migrations, type Migration } from './sql/migrations.js'

// Any number that nothing else in the database locks.
const LOCK_ID = 7_460_116_710_112

/**
 * The SQL that brings a database to the schema of this version, for those who run it by their own means. It is one
 * statement: made whole or not at all, and with no effect where everything is there. Several at once wait for each
 * other. It gives up where something else holds a table for 3 seconds: whatever comes meanwhile waits behind it.
 */
export function postgresMigrationSql(): string {
  return `DO $tonplug$
DECLARE
  lock_timeout_before text := current_setting('lock_timeout');
BEGIN
  IF getdatabaseencoding() <> 'UTF8' THEN
    RAISE EXCEPTION 'tonplug needs a database with the encoding UTF8, and % has %',
      current_database(), getdatabaseencoding();
  END IF;
  -- Held until the end of the transaction, so it holds behind a connection pooler too.
  PERFORM pg_advisory_xact_lock(${LOCK_ID});
  -- A change of a table waits for whoever reads it, and all others wait behind the change.
  PERFORM set_config('lock_timeout', '3s', true);
  IF to_regnamespace('tonplug') IS NULL THEN
    CREATE SCHEMA tonplug;
  END IF;
  IF to_regclass('tonplug.migrations') IS NULL THEN
    CREATE TABLE tonplug.migrations (
      version    integer PRIMARY KEY,
      applied_at timestamptz NOT NULL DEFAULT now()
    );
  END IF;
${migrations.map(applyOnce).join('\n')}
  PERFORM set_config('lock_timeout', lock_timeout_before, true);
END
$tonplug$`
}

function applyOnce({ version, sql }: Migration): string {
  return `  IF NOT EXISTS (SELECT FROM tonplug.migrations WHERE version = ${version}) THEN${sql}
    INSERT INTO tonplug.migrations (version) VALUES (${version});
  END IF;`
}
