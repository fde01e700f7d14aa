type Privilege = 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE'

/** States why the tables cannot be written, naming the first one; null when they can. */
export function accessProblem(tables: Readonly<Record<string, readonly Privilege[]>>): string {
  const needed = Object.entries(tables).flatMap(([table, privileges]) =>
    privileges.map((privilege) => ({ table, privilege })),
  )
  const rows = needed.map(
    ({ table, privilege }, index) => `(${index}, 'tonplug.${table}', '${privilege}')`,
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
