import type { Output, Schema } from '../../../src/toncenter/schema/fields.js'
import { Mismatch, type Issue } from '../../../src/toncenter/schema/mismatch.js'
import { isEmptyObject, readString } from '../../../src/toncenter/schema/readers.js'

// Reads a value by its schema, field by field into new objects. The generated decoders must agree with it. Only this reader
// lists the harmless differences of a response from its schema.

type Fields = Readonly<Record<string, unknown>>
type Of<Kind> = Extract<Schema, { kind: Kind }>

/** Reads a value. @throws {Mismatch} with the invalid place */
export function parse<S extends Schema>(schema: S, value: unknown): Output<S> {
  // Each kind of schema is read as its type declares.
  return read(schema, value) as Output<S>
}

/** Reads a value, or returns its first invalid place. */
export function safeParse<S extends Schema>(
  schema: S,
  value: unknown,
): { success: true; data: Output<S>; issue?: undefined } | { success: false; issue: Issue } {
  try {
    return { success: true, data: parse(schema, value) }
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error
    return { success: false, issue: { path: error.path, expected: error.expected } }
  }
}

let differences: string[] = []

/** Lists the new values and the unreadable optional fields of a response. @throws {Mismatch} */
export function driftOf(schema: Schema, value: unknown): string[] {
  differences = []
  parse(schema, value)
  return differences
}

function reportUnknown(path: string, value: string): void {
  differences.push(`${path}: unknown value ${JSON.stringify(value)}`)
}

function readEnum({ path, values }: Of<'enum'>, value: unknown): string {
  const text = readString(value)
  if (!values.includes(text)) reportUnknown(path, text)
  return text
}

function read(schema: Schema, value: unknown): unknown {
  switch (schema.kind) {
    case 'value':
      return schema.read(value)
    case 'any':
      return value
    case 'enum':
      return readEnum(schema, value)
    case 'optional':
      return readOptional(schema, value)
    case 'default':
      // A lenient field may read a value as absent.
      return read(schema.inner, value ?? schema.instead) ?? read(schema.inner, schema.instead)
    case 'object':
      return readObject(schema.shape, value)
    case 'list':
      return readList(schema, value)
    case 'map':
      return readMap(schema, value)
    case 'tree':
      return readTree(schema, value)
    case 'variants':
      return readVariant(schema, value)
    case 'tagged':
      return readTagged(schema, value)
  }
}

/** Adds a key to the path of a mismatch inside. */
function inside<Value>(key: string | number, work: () => Value): Value {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error
    throw new Mismatch(error.expected, error.value, [key, ...error.path])
  }
}

function readOptional({ inner, absent, path }: Of<'optional'>, value: unknown): unknown {
  if (value === undefined || value === null) return undefined
  if (absent === 'empty' && isEmptyObject(value)) return undefined
  if (absent !== 'unreadable') return read(inner, value)
  const before = differences.length
  const result = safeParse(inner, value)
  if (result.success) return result.data
  // It is left out with everything inside.
  differences.splice(before, Infinity, `${path}: cannot be read`)
  return undefined
}

function fieldsOf(value: unknown): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields
  throw new Mismatch('an object', value)
}

function readObject(shape: Readonly<Record<string, Schema>>, value: unknown): Fields {
  const fields = fieldsOf(value)
  const result: Record<string, unknown> = { ...fields }
  for (const [key, field] of Object.entries(shape)) {
    const inner = inside(key, () => read(field, fields[key]))
    if (inner !== undefined || key in fields) result[key] = inner
  }
  return result
}

function readList({ inner, absent }: Of<'list'>, value: unknown): unknown[] {
  if (value === null && absent !== undefined) return []
  if (value === undefined && absent === 'empty') return []
  if (!Array.isArray(value)) throw new Mismatch('an array', value)
  return value.map((one, index) => inside(index, () => read(inner, one)))
}

function readMap({ inner, absent }: Of<'map'>, value: unknown): Fields {
  const fields = fieldsOf(absent === 'empty' ? (value ?? {}) : value)
  const entries = Object.entries(fields).map(([key, one]): [string, unknown] => [
    key,
    inside(key, () => read(inner, one)),
  ])
  return Object.fromEntries(entries)
}

/** Uses a loop, since a tree may be deeper than the call stack: each node before its children, in the order of the JSON. */
function readTree({ key, node }: Of<'tree'>, root: unknown): unknown {
  const roots: unknown[] = []
  const jobs = [{ value: root, into: roots, path: [] as readonly PropertyKey[] }]
  for (let job = jobs.pop(); job !== undefined; job = jobs.pop()) {
    const { value, into, path } = job
    const result = safeParse(node, value)
    if (!result.success) {
      throw new Mismatch(result.issue.expected, value, [...path, ...result.issue.path])
    }
    const fields = fieldsOf(result.data)
    const children: unknown[] = []
    into.push({ ...fields, [key]: children })
    const given = fields[key] ?? []
    if (!Array.isArray(given)) throw new Mismatch('an array', given, [...path, key])
    const inner = given.map((one: unknown, index) => ({
      value: one,
      into: children,
      // The paths of a deep chain would fill the memory.
      path: path.length > 100 ? path : [...path, key, index],
    }))
    jobs.push(...inner.toReversed())
  }
  return roots[0]
}

function readVariant({ path, key, options }: Of<'variants'>, value: unknown): unknown {
  const fields = fieldsOf(value)
  const tag = inside(key, () => readString(fields[key]))
  if (Object.hasOwn(options, tag)) return read(options[tag] as Schema, value)
  reportUnknown(`${path}.${key}`, tag)
  return value
}

function readTagged(schema: Of<'tagged'>, value: unknown): unknown {
  const { path, fields, details } = schema
  const result = fieldsOf(read(fields, value))
  const type = inside('type', () => readString(result['type']))
  const isKnown = Object.hasOwn(details, type)
  if (!isKnown) reportUnknown(`${path}.type`, type)
  const given = result['details'] ?? undefined
  if (!isKnown && type !== 'unreadable') return { ...result, details: given }
  const option = { kind: 'optional', absent: 'unreadable', path: `${path}.details` } as const
  const inner = isKnown
    ? readOptional({ ...option, inner: details[type] as Schema }, given)
    : undefined
  if (inner !== undefined) return { ...result, details: inner }
  return { ...result, type: 'unreadable', received_type: type, details: given }
}
