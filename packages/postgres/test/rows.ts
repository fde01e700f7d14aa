import type { Queryable } from '../src/queryable.js'

/** Returns the number of rows of a table that meet the condition. */
export async function count(db: Queryable, table: string, condition = 'true'): Promise<number> {
  const text = `SELECT count(*)::text AS count FROM tonplug.${table} WHERE ${condition}`
  const { rows } = await db.query(text)
  return Number((rows[0] as { count: string }).count)
}
