import type pg from 'pg'
import { ok, warn, type Check } from '../check.js'
import { withOpenClient } from '../database-client.js'
import { codeOf } from '../webhook-probe.js'

/** The name exists already, does not exist, or belongs to another statement. */
const CODES = new Set(['42P05', '26000', '08P01'])

/** Prepares a statement on two connections, as `pg` does for tonplug; some poolers do not support that. */
export const pooler: Check = {
  name: 'prepared statements',
  run: (subject) =>
    withOpenClient(subject, (one) =>
      withOpenClient(subject, async (other) => {
        try {
          await prepareOnBoth(one, other)
          return ok('work on two connections')
        } catch (error) {
          const code = codeOf(error)
          if (!CODES.has(code)) throw error
          return warn(
            `a pooler gives each transaction another connection (${code})`,
            'Nothing to change for tonplug, which then sends statements without names. A direct connection, or PgBouncer 1.21 with max_prepared_statements, is faster.',
          )
        }
      }),
    ),
}

/** A pooler in transaction mode gives both clients the same connection, or one client two connections. */
async function prepareOnBoth(one: pg.Client, other: pg.Client): Promise<void> {
  const name = `tonplug_doctor_${process.pid}`
  const statement = { name, text: 'SELECT 1' }
  await one.query(statement)
  await other.query(statement)
  await other.query('BEGIN')
  try {
    await one.query(statement)
  } finally {
    await other.query('ROLLBACK')
  }
}
