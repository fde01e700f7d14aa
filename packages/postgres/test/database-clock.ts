import { databaseOf } from '../src/database.js'
import { migratePostgres } from '../src/migrate-postgres.js'
import type { Queryable } from '../src/queryable.js'

/** The part of a fake clock that the database follows. */
interface ReadableClock {
  nowMs(): number
}

/** Replaces `tonplug.now()` of a test's own database, so that it returns the time of {@link setTime}. */
export async function replaceNow(db: Queryable, nowMs: number): Promise<void> {
  // Also listens to lost connections of a pool.
  databaseOf(db)
  await migratePostgres(db)
  await db.query(`DO $$ BEGIN
    CREATE TABLE IF NOT EXISTS tonplug.test_clock (now_ms float8 NOT NULL);
    DELETE FROM tonplug.test_clock;
    INSERT INTO tonplug.test_clock VALUES (${nowMs});
    CREATE OR REPLACE FUNCTION tonplug.now() RETURNS timestamptz LANGUAGE sql STABLE
      AS 'SELECT to_timestamp(now_ms / 1000) FROM tonplug.test_clock';
  END $$`)
}

/** Sets the time of a database that {@link replaceNow} has prepared. */
export async function setTime(db: Queryable, nowMs: number): Promise<void> {
  await db.query('UPDATE tonplug.test_clock SET now_ms = $1::text::float8', [String(nowMs)])
}

/**
 * Makes a test's own database follow a fake clock.
 * @returns the database to use from now on: every statement sees the clock's time at its start.
 */
export async function followClock(db: Queryable, clock: ReadableClock): Promise<Queryable> {
  let writtenMs = clock.nowMs()
  let written = replaceNow(db, writtenMs)
  await written
  return {
    async query(text, values) {
      const nowMs = clock.nowMs()
      if (nowMs !== writtenMs) {
        writtenMs = nowMs
        written = setTime(db, nowMs)
      }
      await written
      return db.query(text, values)
    },
  }
}
