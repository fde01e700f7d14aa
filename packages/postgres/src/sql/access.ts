import { quoteText } from './quote.js'

type Privilege = 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE'

type Privileges = Readonly<Record<string, readonly Privilege[]>>

/** Privileges for an inbox, by the names of the tables. */
export const INBOX_PRIVILEGES: Privileges = {
  reports: ['SELECT', 'INSERT', 'UPDATE', 'DELETE'],
  tasks: ['SELECT', 'INSERT', 'UPDATE', 'DELETE'],
  payments: ['SELECT', 'INSERT', 'UPDATE'],
  credits: ['SELECT', 'INSERT', 'UPDATE'],
  credit_hashes: ['SELECT', 'INSERT'],
  uses: ['SELECT', 'INSERT', 'UPDATE'],
  credit_decisions: ['SELECT', 'INSERT', 'UPDATE'],
  subscriptions: ['SELECT', 'INSERT', 'UPDATE', 'DELETE'],
  policies: ['SELECT', 'INSERT', 'UPDATE'],
  // Deleted with their report.
  actions: ['SELECT', 'INSERT'],
}

/** Privileges for tonplug's own orders. */
export const ORDER_PRIVILEGES: Privileges = { orders: ['SELECT', 'INSERT', 'UPDATE'] }

/** Privileges for a server. */
export const PRIVILEGES: Privileges = {
  migrations: ['SELECT'],
  ...INBOX_PRIVILEGES,
  ...ORDER_PRIVILEGES,
  cursors: ['SELECT', 'INSERT', 'UPDATE'],
  anchors: ['SELECT', 'INSERT', 'UPDATE'],
  proven_transactions: ['SELECT', 'INSERT', 'UPDATE'],
}

/** States why tonplug's tables cannot be written, naming the first one; null when they can. */
export function accessProblem(tables: Privileges): string {
  const needed = Object.entries(tables).flatMap(([table, privileges]) =>
    privileges.map((privilege) => [`tonplug.${table}`, privilege] as const),
  )
  return problemOf(needed)
}

/** The same for one table of the shop. @param table quoted, with its schema. */
export function tableAccessProblem(table: string, privileges: readonly Privilege[]): string {
  return problemOf(privileges.map((privilege) => [table, privilege] as const))
}

function problemOf(needed: readonly (readonly [table: string, privilege: Privilege])[]): string {
  const rows = needed.map(
    ([table, privilege], index) => `(${index}, ${quoteText(table)}, '${privilege}')`,
  )
  return `CASE WHEN current_setting('transaction_read_only') = 'on'
    THEN 'the database is read-only: transaction_read_only is on. Connect to the primary server'
    ELSE (
      SELECT format('the role %I has no %s privilege on %s. Run: GRANT %s ON %s TO %I',
        current_user, privilege, place, privilege, place, current_user)
      FROM (VALUES ${rows.join(', ')}) AS needed(position, place, privilege)
      WHERE NOT has_table_privilege(place, privilege)
      ORDER BY position LIMIT 1
    ) END`
}
