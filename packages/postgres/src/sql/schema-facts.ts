import { PRIVILEGES } from './access.js'
import { quoteText } from './quote.js'
import { statement } from './statement.js'

const RIGHTS = [...new Set(Object.values(PRIVILEGES).flat())]

/** Describes the schema `tonplug` as JSON; no row without it. Requires no privilege. */
export const describeSchema = statement(
  'schemaStatus',
  `SELECT json_build_object(
    'role', quote_ident(current_user),
    'isReadOnly', current_setting('transaction_read_only') = 'on',
    'isUsable', has_schema_privilege(n.oid, 'USAGE'),
    'tables', (
      SELECT coalesce(json_agg(json_build_object(
        'name', c.relname,
        'columns', (
          SELECT coalesce(json_agg(a.attname), '[]') FROM pg_attribute a
          WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        ),
        'keys', (
          SELECT coalesce(json_agg((
            SELECT json_agg(a.attname ORDER BY a.attname) FROM pg_attribute a
            WHERE a.attrelid = c.oid AND a.attnum = ANY (i.indkey::int2[])
          )), '[]')
          FROM pg_index i
          WHERE i.indrelid = c.oid AND i.indisunique AND i.indisvalid AND i.indpred IS NULL
        ),
        'rights', (
          SELECT coalesce(json_agg(given.name), '[]')
          FROM (VALUES ${RIGHTS.map((right) => `(${quoteText(right)})`).join(', ')}) AS given(name)
          WHERE has_table_privilege(c.oid, given.name)
        )
      )), '[]')
      FROM pg_class c WHERE c.relnamespace = n.oid AND c.relkind = 'r'
    ),
    'indexes', (
      SELECT coalesce(json_agg(c.relname), '[]')
      FROM pg_class c JOIN pg_index i ON i.indexrelid = c.oid
      WHERE c.relnamespace = n.oid AND i.indisvalid
    ),
    'functions', (
      SELECT coalesce(json_agg(p.proname), '[]') FROM pg_proc p WHERE p.pronamespace = n.oid
    )
  )::text AS facts
  FROM pg_namespace n WHERE n.nspname = 'tonplug'`,
)
