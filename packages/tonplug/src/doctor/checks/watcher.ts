import { fail, ok, type Check, type Finding } from '../check.js'
import { withOpenClient } from '../database-client.js'

interface StoredCursor {
  name: string
  position: string | null
  isHeld: boolean
}

/** Finds watchers that do not run: a running one holds the lease of its cursor. */
export const watcher: Check = {
  name: 'payment watcher',
  run: (subject) =>
    withOpenClient(subject, async (client) => {
      const { rows } = await client.query<StoredCursor>(
        `SELECT name, position, coalesce(leased_until > clock_timestamp(), false) AS "isHeld"
        FROM tonplug.cursors ORDER BY name`,
      )
      return rows.length === 0 ? undefined : examine(rows)
    }),
}

function examine(cursors: readonly StoredCursor[]): Finding {
  const stopped = cursors.find(({ isHeld }) => !isHeld)
  if (stopped === undefined) return ok('runs')
  const { name, position } = stopped
  const scannedTo = scannedToOf(position)
  const known = scannedTo === undefined ? '' : `; it has scanned the chain up to ${scannedTo}`
  return fail(
    `no process runs the watcher of the Payments ${name}${known}`,
    `Call watcher.start() in a server, and see its log. If no server watches any more: DELETE FROM tonplug.cursors WHERE name = '${name.replaceAll("'", "''")}'`,
  )
}

function scannedToOf(position: string | null): string | undefined {
  const [, seconds] = /"scannedTo":(\d{1,11})\b/.exec(position ?? '') ?? []
  return seconds === undefined ? undefined : new Date(Number(seconds) * 1000).toISOString()
}
