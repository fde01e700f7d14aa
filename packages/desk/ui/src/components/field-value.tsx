import { type Fact, Facts } from './facts.js'

/** A value of JSON: an object as a list of its fields, which may be objects of one more level. */
function FieldValue({ value, depth = 0 }: { value: unknown; depth?: number }) {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth > 1) {
    return JSON.stringify(value)
  }
  return <Facts facts={factsOf(value, depth + 1)} />
}

/** Returns the fields that have a value. */
export function factsOf(fields: object, depth = 0): Fact[] {
  return Object.entries(fields).flatMap(([name, value]: [string, unknown]): Fact[] => {
    if (value === null || value === undefined || value === '') return []
    return [[name, <FieldValue value={value} depth={depth} />]]
  })
}
