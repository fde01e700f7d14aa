import { statement } from './statement.js'

/** Describes a table, $1, as JSON; no row without it. Types are those under domains. */
export const describeTable = statement(
  'orders.checkAccess',
  `SELECT json_build_object(
    'schema', n.nspname,
    'table', c.relname,
    'isPartitioned', c.relkind = 'p',
    'columns', (
      SELECT coalesce(json_agg(json_build_object(
        'name', a.attname,
        'type', CASE t.typtype WHEN 'd' THEN format_type(t.typbasetype, t.typtypmod)
          ELSE format_type(a.atttypid, a.atttypmod) END,
        'isNullable', NOT a.attnotnull,
        'values', (SELECT json_agg(e.enumlabel) FROM pg_enum e WHERE e.enumtypid = t.oid)
      )), '[]')
      FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    ),
    'uniqueKeys', (
      SELECT coalesce(json_agg((
        SELECT json_agg(a.attname) FROM pg_attribute a
        WHERE a.attrelid = c.oid AND a.attnum = ANY ((i.indkey::int2[])[0:i.indnkeyatts - 1])
      )), '[]')
      FROM pg_index i
      WHERE i.indrelid = c.oid AND i.indisunique AND i.indisvalid
        AND i.indpred IS NULL AND i.indexprs IS NULL
    )
  )::text AS facts
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.oid = to_regclass($1::text)`,
)

/** Describes the columns of the indexes of a table, $1, as JSON. */
export const describeIndexes = statement(
  'orders.checkAccess',
  `SELECT coalesce(json_agg((
    SELECT json_agg(json_build_object(
      'expression', pg_get_indexdef(i.indexrelid, place, true),
      'operators', (SELECT opcname FROM pg_opclass WHERE oid = i.indclass[place - 1])
    ) ORDER BY place)
    FROM generate_series(1, i.indnkeyatts) AS place
  )), '[]')::text AS indexes
  FROM pg_index i
  WHERE i.indrelid = to_regclass($1::text) AND i.indisvalid AND i.indpred IS NULL`,
)
