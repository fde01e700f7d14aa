import { Mismatch, refuse } from './mismatch.js'
import { isEmptyObject, readString } from './readers.js'
import { isObject } from '../../shared/is-object.js'

// Run-time functions of generated decoders, besides the readers. Decoders convert in place: they receive freshly parsed
// JSON that is not used elsewhere.

/** Converts a freshly parsed value in place and returns the result. @throws {Mismatch} */
export type Decoder = (value: unknown) => unknown

export function orAbsent(value: unknown, read: Decoder): unknown {
  return value === null ? undefined : read(value)
}

/** Reads null, and an object without fields, as absent. */
export function orEmptyAbsent(value: unknown, read: Decoder): unknown {
  return value === null || isEmptyObject(value) ? undefined : read(value)
}

/** Reads null and any unreadable value as absent. */
export function orUnread(value: unknown, read: Decoder): unknown {
  if (value === undefined || value === null) return undefined
  try {
    return read(value)
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error
    return undefined
  }
}

/** Returns true for null. Checks a present value with `read`, which may change it in place. */
export function isNullOr(value: unknown, read: Decoder): boolean {
  if (value !== null && value !== undefined) read(value)
  return value === null
}

/** Returns true for null. Reads the items of a present list. */
export function isNullOrList(value: unknown, read: Decoder): boolean {
  return isNullOr(value, (list) => readList(list, read))
}

/** Removes a field that is null. Checks a present value with `read` and leaves it unchanged. */
export function checkOptional(fields: Record<string, unknown>, key: string, read: Decoder): void {
  if (isNullOr(fields[key], read)) fields[key] = undefined
}

export function readOptional(fields: Record<string, unknown>, key: string, read: Decoder): void {
  const value = fields[key]
  if (value !== undefined) fields[key] = orAbsent(value, read)
}

/** Reads a field; an unreadable value becomes absent. */
export function readLenient(fields: Record<string, unknown>, key: string, read: Decoder): void {
  const value = fields[key]
  if (value !== undefined) fields[key] = orUnread(value, read)
}

/** @throws {Mismatch} unless the value is an object. */
export function checkObject(value: unknown): asserts value is Record<string, unknown> {
  if (!isObject(value)) refuse('an object', value)
}

/** Returns the value as an object with fields. @throws {Mismatch} */
export function fieldsOf(value: unknown): Record<string, unknown> {
  checkObject(value)
  return value
}

export function readMap(value: unknown, read: Decoder): Record<string, unknown> {
  const fields = fieldsOf(value)
  for (const key of Object.keys(fields)) fields[key] = read(fields[key])
  return fields
}

/**
 * Reads a node and the nodes in the lists under `key` below it, in the order of the JSON. Uses a loop, since a tree may be
 * deeper than the call stack.
 */
export function readTree(root: unknown, key: string, readNode: Decoder): unknown {
  // The nodes on each level from the root down to the current node, and the index of the next one.
  const levels = [{ nodes: [root], next: 0 }]
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    if (level.next === level.nodes.length) {
      levels.pop()
      continue
    }
    const fields = fieldsOf(readNode(level.nodes[level.next++]))
    const nodes = itemsOf(fields[key] ?? [])
    fields[key] = nodes
    levels.push({ nodes, next: 0 })
  }
  return root
}

/** Decoders of an object whose `type` selects the decoder of its `details`. */
export interface TaggedParts {
  /** Reads the object without its type and details. */
  read: Decoder
  details: ReadonlyMap<string, Decoder>
}

const UNREADABLE = 'unreadable'

/** Reads an object with details. If they are missing or malformed, its type becomes `unreadable`. */
export function readTagged(value: unknown, { read, details }: TaggedParts): unknown {
  const fields = fieldsOf(read(value))
  const type = readString(fields['type'])
  const readDetails = details.get(type)
  const received = fields['details'] ?? undefined
  fields['details'] = received
  if (readDetails === undefined && type !== UNREADABLE) return fields
  const converted = readDetails && orUnread(copyDetails(received), readDetails)
  if (converted !== undefined) {
    fields['details'] = converted
    return fields
  }
  fields['type'] = UNREADABLE
  fields['received_type'] = type
  return fields
}

/** The depth to which schemas describe details. Decoders change nothing below it. */
const DETAILS_DEPTH = 4

/** Copies details, so that an unreadable object keeps its details as received. */
function copyDetails(value: unknown, depth = DETAILS_DEPTH): unknown {
  if (depth === 0 || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => copyDetails(item, depth - 1))
  const copy: Record<string, unknown> = { ...value }
  for (const key of Object.keys(copy)) {
    if (typeof copy[key] === 'object') copy[key] = copyDetails(copy[key], depth - 1)
  }
  return copy
}

export function readList(value: unknown, read: Decoder): unknown[] {
  const items = itemsOf(value)
  for (let index = 0; index < items.length; index++) items[index] = read(items[index])
  return items
}

function itemsOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : refuse('an array', value)
}
