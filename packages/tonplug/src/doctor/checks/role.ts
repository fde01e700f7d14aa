import type pg from 'pg'
import { fail, ok, type Check, type Finding } from '../check.js'
import { withOpenClient } from '../database-client.js'

const PRIVILEGES = ['SELECT', 'INSERT', 'UPDATE', 'DELETE']

interface Facts {
  role: string
  isReadOnly: boolean
  mayUse: boolean
}

/** Checks the privileges of the server's role, and that it is connected to a primary server. */
export const role: Check = {
  name: 'database role',
  run: (subject) =>
    withOpenClient(subject, async (client) => {
      const { rows } = await client.query<Facts>(
        `SELECT current_user AS role,
          current_setting('transaction_read_only') = 'on' AS "isReadOnly",
          has_schema_privilege(oid, 'USAGE') AS "mayUse"
        FROM pg_namespace WHERE nspname = 'tonplug'`,
      )
      const [facts] = rows
      return facts && examine(client, facts)
    }),
}

async function examine(client: pg.Client, { role, isReadOnly, mayUse }: Facts): Promise<Finding> {
  if (isReadOnly) {
    return fail('the database is read-only', 'Connect to the primary server, not to a replica.')
  }
  const name = `"${role}"`
  if (!mayUse) {
    return fail(`the role ${role} may not use the schema tonplug`, grant(name))
  }
  const { rows } = await client.query<{ table: string; privilege: string }>(
    `SELECT relname AS table, privilege
    FROM pg_class CROSS JOIN unnest($1::text[]) AS privilege
    WHERE relnamespace = 'tonplug'::regnamespace AND relkind = 'r' AND relname <> 'migrations'
      AND NOT has_table_privilege(oid, privilege)
    ORDER BY relname, privilege LIMIT 1`,
    [PRIVILEGES],
  )
  const [missing] = rows
  if (missing === undefined) return ok(`${role} may read and write the tables`)
  return fail(
    `the role ${role} has no ${missing.privilege} privilege on tonplug.${missing.table}`,
    grant(name),
  )
}

function grant(role: string): string {
  return `GRANT USAGE ON SCHEMA tonplug TO ${role}; GRANT ${PRIVILEGES.join(', ')} ON ALL TABLES IN SCHEMA tonplug TO ${role};`
}
