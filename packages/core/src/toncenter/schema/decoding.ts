import { countDrift, discardDrift } from './drift.js'
import { Mismatch, refuse } from './mismatch.js'
import { isEmptyObject, readString, reportUnknown, reportUnreadable } from './readers.js'
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

/** Reads null and any unreadable value as absent. @param path the field, for drift */
export function orUnread(value: unknown, path: string, read: Decoder): unknown {
  if (value === undefined || value === null) return undefined
  const drift = countDrift()
  try {
    return read(value)
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error
    discardDrift(drift)
    reportUnreadable(path)
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
  if (value !== undefined) fields[key] = orUnread(value, key, read)
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

/** Decoders of an object whose field `tag` selects the decoder of its field `content`. */
export interface TaggedParts {
  read: Decoder
  tag: string
  content: string
  contents: ReadonlyMap<string, Decoder>
  /** The path of the tag, for drift. */
  path: string
}

/** Reads an object whose content may be absent, unknown, or different from what its tag says. */
export function readTagged(value: unknown, parts: TaggedParts): unknown {
  const fields = fieldsOf(parts.read(value))
  const tag = readString(fields[parts.tag])
  const read = parts.contents.get(tag)
  if (read === undefined) reportUnknown(parts.path, tag)
  const content = fields[parts.content]
  if (content === null) fields[parts.content] = undefined
  else if (content !== undefined && read !== undefined) {
    const path = parts.path.slice(0, -parts.tag.length) + parts.content
    fields[parts.content] = orUnread(content, path, read)
  }
  return fields
}

export function readList(value: unknown, read: Decoder): unknown[] {
  const items = itemsOf(value)
  for (let index = 0; index < items.length; index++) items[index] = read(items[index])
  return items
}

function itemsOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : refuse('an array', value)
}

/** Returns an object with an unknown tag unchanged. @param path the path of the tag, for drift */
export function passUnknown(value: unknown, path: string, tag: string): unknown {
  reportUnknown(path, tag)
  return value
}
