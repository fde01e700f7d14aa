import { RepositoryError } from '@tonplug/core'
import type { Run } from './record-decision.js'
import { describeCreationTime } from './sql/creation-time.js'
import type { OrderTable } from './sql/order-table.js'
import { quoteName } from './sql/quote.js'

const CURRENT_TIME =
  /\b(?:now|transaction_timestamp|statement_timestamp|clock_timestamp)\(\)|\b(?:CURRENT_TIMESTAMP|LOCALTIMESTAMP)\b|'now'/i
const CONVERTED = /(?:AT TIME ZONE |timezone\()'([^']+)'/i
const UTC = /^(?:(?:etc\/)?(?:utc|gmt|uct|zulu|universal|greenwich)|z)$/i

/**
 * Checks that the default of a creation time without a time zone is in UTC, as tonplug reads it. Otherwise new orders are
 * hours older or younger than they are, and their payments count as older than they.
 * @param column the name of the column, as in the mapping
 * @throws {RepositoryError} with the SQL that corrects the default.
 */
export async function checkCreationTime(
  run: Run,
  { name, columns: { createdAt } }: OrderTable,
  column: string | undefined,
): Promise<void> {
  if (column === undefined || createdAt?.type.endsWith('without time zone') !== true) return
  const [row] = await run(describeCreationTime, [name, column])
  const expression = row?.['expression'] ?? ''
  const zones = zonesOf(expression, row?.['zones'] ?? undefined)
  if (zones === undefined) return
  const quoted = quoteName(column)
  const problem = `the column ${quoted} of \`createdAt\` is ${createdAt.type} with the default ${expression}, which is in the time zone of the session (${zones}); it must be in UTC. Correct the orders that have it, and run this SQL:\n\nALTER TABLE ${name} ALTER COLUMN ${quoted} SET DEFAULT (now() AT TIME ZONE 'UTC');\n`
  throw new RepositoryError({ operation: 'orders.checkAccess', problem })
}

/** Returns the zones other than UTC that a default may be in. */
function zonesOf(expression: string, sessions: string | undefined): string | undefined {
  if (!CURRENT_TIME.test(expression)) return undefined
  const [, zone] = CONVERTED.exec(expression) ?? []
  if (zone === undefined) return sessions
  return UTC.test(zone) ? undefined : zone
}
