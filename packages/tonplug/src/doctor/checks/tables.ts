import { postgresInboxReader, postgresSchemaVersion } from '@tonplug/postgres'
import { fail, ok, type Check, type Finding } from '../check.js'
import { withOpenClient } from '../database-client.js'

const FIX = 'Run npx tonplug migrate up with a role that may create tables.'

/** Compares the version of tonplug's tables with the version that this package needs. */
export const tables: Check = {
  name: 'tables',
  run: (subject) =>
    withOpenClient(subject, async (client) => {
      // A role that cannot see the schema may not use it; the check of the privileges reports that.
      const { rows } = await client.query<{ mayUse: boolean | null }>(
        `SELECT has_schema_privilege(oid, 'USAGE') AS "mayUse" FROM pg_namespace WHERE nspname = 'tonplug'`,
      )
      if (rows[0]?.mayUse === false) return undefined
      if (rows[0] === undefined) return fail('the schema tonplug does not exist', FIX)
      return compare(await postgresInboxReader(client).schemaVersion())
    }),
}

function compare(version: number | undefined): Finding {
  if (version === undefined) return fail('the schema tonplug has no tables', FIX)
  if (version < postgresSchemaVersion) {
    return fail(`version ${version} is installed; ${postgresSchemaVersion} is needed`, FIX)
  }
  return ok(`version ${version}`)
}
