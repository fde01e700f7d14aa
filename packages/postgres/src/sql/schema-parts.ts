import { migrations } from './migrations.js'

/** A table, a column, a unique key, an index or a function that a migration creates. */
export interface SchemaPart {
  kind: 'table' | 'column' | 'unique key' | 'index' | 'function'
  /** Without the schema: `reports`, `reports.id`, `reports (name, key_hash)`, `reports_due`. */
  name: string
  /** The table of a column or a unique key. */
  table?: string | undefined
  /** The columns of a unique key. */
  columns?: string[] | undefined
  /** The version that creates it. */
  version: number
  /** Creates it again. */
  sql: string
}

const COMMENT = /^ *--.*\n/gm
/** A statement; a function may contain semicolons in its body. */
const CREATED =
  /CREATE (TABLE|INDEX|FUNCTION) (?:tonplug\.)?(\w+)(?:\$(\w+)\$[\s\S]*?\$\3\$|[^;$])*;/g
/** A column or a constraint of a table, with the lines that continue it. */
const ENTRY = /^ {6}(\w[\s\S]*?),?\n(?= {6}\w| {4}\))/gm
const TABLE_KEY = /^(?:PRIMARY KEY|UNIQUE) \((.*)\)/
const COLUMN_KEY = / (PRIMARY KEY|UNIQUE)\b/

/** The parts of the newest schema in the sequence of their creation, read from the SQL of the migrations. */
export const schemaParts: readonly SchemaPart[] = migrations.flatMap(({ version, sql }) =>
  [...sql.replace(COMMENT, '').matchAll(CREATED)].flatMap(
    ([text, kind, name = '']): SchemaPart[] => {
      if (kind === 'TABLE') return tableParts(text, name, version)
      return [{ kind: kind === 'INDEX' ? 'index' : 'function', name, version, sql: text }]
    },
  ),
)

function tableParts(text: string, table: string, version: number): SchemaPart[] {
  return [
    { kind: 'table', name: table, version, sql: text },
    ...[...text.matchAll(ENTRY)].flatMap(([, entry = '']) => entryParts(entry, table, version)),
  ]
}

function entryParts(entry: string, table: string, version: number): SchemaPart[] {
  const change = `ALTER TABLE tonplug.${table} ADD`
  const keyOf = (columns: string[], constraint: string): SchemaPart => {
    const name = `${table} (${columns.join(', ')})`
    return { kind: 'unique key', name, table, columns, version, sql: `${change} ${constraint};` }
  }
  const [, listed] = TABLE_KEY.exec(entry) ?? []
  if (listed !== undefined) return [keyOf(listed.split(', '), entry)]
  if (entry.startsWith('CHECK')) return []
  const [column = ''] = entry.split(' ')
  const [, key] = COLUMN_KEY.exec(entry) ?? []
  const definition = entry.replace(COLUMN_KEY, '').replaceAll(/\s+/g, ' ')
  const sql = `${change} COLUMN ${definition};`
  return [
    { kind: 'column', name: `${table}.${column}`, table, version, sql },
    ...(key === undefined ? [] : [keyOf([column], `${key} (${column})`)]),
  ]
}
