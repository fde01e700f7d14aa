/** Fields that the Python server writes as JSON numbers of any length. */
const LONG_NUMBERS = new Set(['total_supply', 'balance'])
/** Names of types in the Python server. */
const TYPES: Readonly<Record<string, string>> = {
  'ext.transaction': 'raw.transaction',
  'raw.transactionExt': 'raw.transaction',
  'ext.message': 'raw.message',
}
const MARK = 'number:'

type Json = Readonly<Record<string, unknown>>

/**
 * Converts a result of the C++ server to the format of the Python server: fewer types, tonlib's own `@extra` inside,
 * no
 * `account` in transactions, long integers as JSON numbers. Source: API facts, part 1.
 */
export function toPython(result: unknown, now: number): unknown {
  const written = rewrite(result)
  if (!isObject(written) || written['@type'] === undefined) return written
  return { ...written, '@extra': `${now}.5:0:0.004` }
}

/** Writes JSON, with long integers as JSON numbers. */
export function writeJson(body: unknown): string {
  return JSON.stringify(body).replaceAll(new RegExp(`"${MARK}(\\d+)"`, 'g'), '$1')
}

function rewrite(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rewrite)
  if (!isObject(value)) return value
  const type = value['@type']
  const isToken = value['contract_type'] !== undefined
  const isUnused =
    isObject(value['last_transaction_id']) && value['last_transaction_id']['lt'] === '0'
  const fields = Object.entries(value).flatMap(([name, field]): [string, unknown][] => {
    if (name === '@type') return writeType(field)
    if (name === 'account' && type === 'ext.transaction') return []
    if (isToken && name === 'address') return []
    if (isToken && LONG_NUMBERS.has(name)) return [[name, `${MARK}${String(field)}`]]
    if (isUnused && name === 'balance' && field === '0') return [[name, 0]]
    return field === null ? [] : [[name, rewrite(field)]]
  })
  return Object.fromEntries(fields)
}

function writeType(type: unknown): [string, unknown][] {
  const name = TYPES[String(type)] ?? String(type)
  return name.startsWith('ext.') ? [] : [['@type', name]]
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
