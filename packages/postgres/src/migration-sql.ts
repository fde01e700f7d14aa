import { z } from 'zod'
import { migrations, type Migration } from './sql/migrations.js'
import { parseOptions } from '@tonplug/core/internal'

// An arbitrary number that no other program locks.
const LOCK_ID = 7_460_116_710_112

/** Options of `postgresMigrationSql`. */
export interface PostgresMigrationSqlOptions {
  /** Version of the database: leaves out what has been applied. @default 0, a new database */
  from?: number | undefined
}

const VERSION = z.custom<number>(
  (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  'must be a whole number, 0 for a new database',
)

const OPTIONS = z.strictObject({
  from: VERSION.default(0),
} satisfies Record<keyof PostgresMigrationSqlOptions, z.ZodType>)

/**
 * Returns the SQL of `migratePostgres`, for migration tools. It is one atomic statement without effect on an up-to-date
 * database. Concurrent runs wait for each other. It fails when another transaction locks a table for 3 seconds, since all
 * statements that follow wait behind it.
 * @throws {ConfigurationError} for an unknown or invalid option.
 */
export function postgresMigrationSql(options: PostgresMigrationSqlOptions = {}): string {
  const { from } = parseOptions(OPTIONS, options)
  const steps = migrations.filter(({ version }) => version > from)
  return `DO $tonplug$
DECLARE
  lock_timeout_before text := current_setting('lock_timeout');
BEGIN
  IF getdatabaseencoding() <> 'UTF8' THEN
    RAISE EXCEPTION 'tonplug requires a database with encoding UTF8; % has %',
      current_database(), getdatabaseencoding();
  END IF;
  -- Released with the transaction, so that it also works behind a connection pooler.
  PERFORM pg_advisory_xact_lock(${LOCK_ID});
  -- A change of a table waits for its readers, and all later statements wait for the change.
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
${steps.map(applyOnce).join('\n')}
  PERFORM set_config('lock_timeout', lock_timeout_before, true);
END
$tonplug$`
}

function applyOnce({ version, sql }: Migration): string {
  return `  IF NOT EXISTS (SELECT FROM tonplug.migrations WHERE version = ${version}) THEN${sql}
    INSERT INTO tonplug.migrations (version) VALUES (${version});
  END IF;`
}
