import { statement } from './statement.js'

/** True unless the zone is UTC in winter and in summer. */
const IS_OTHER_ZONE = `
  (timestamptz '2026-01-01 00:00Z' AT TIME ZONE zone, timestamptz '2026-07-01 00:00Z' AT TIME ZONE zone)
    <> (timestamp '2026-01-01 00:00', timestamp '2026-07-01 00:00')`

/**
 * Describes the default of a column without a time zone: $1 is the table, $2 the column. `zones` are the zones of sessions that
 * may insert and that are not UTC: this session, and sessions of roles and databases with a zone of their own.
 */
export const describeCreationTime = statement(
  'orders.checkAccess',
  `SELECT pg_get_expr(d.adbin, d.adrelid) AS expression, (
    SELECT string_agg(DISTINCT zone, ', ') FROM (
      SELECT current_setting('TimeZone') AS zone
      UNION ALL
      SELECT split_part(setting, '=', 2)
      FROM pg_db_role_setting s, unnest(s.setconfig) AS setting
      WHERE setting ILIKE 'timezone=%' AND (s.setdatabase = 0 OR s.setdatabase = (
        SELECT oid FROM pg_database WHERE datname = current_database()
      ))
    ) sessions
    WHERE ${IS_OTHER_ZONE}
  ) AS zones
  FROM pg_attribute a
  JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
  WHERE a.attrelid = to_regclass($1::text) AND quote_ident(a.attname) = quote_ident($2::text)
    AND NOT a.attisdropped`,
)
