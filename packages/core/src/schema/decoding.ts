import { countDrift, takeBackDrift } from './drift.js'
import { Mismatch, refuse } from './mismatch.js'
import { isEmptyObject, isObject, readText, reportUnknown, reportUnread } from './readers.js'

// What generated decoders are made of, besides the readers. A decoder converts in place: it is given freshly parsed
// JSON that nobody else holds.

/** Converts a freshly parsed value in place and answers what became of it. @throws {Mismatch} */
export type Decoder = (value: unknown) => unknown

/** Reads null as absent. */
export function orAbsent(value: unknown, read: Decoder): unknown {
  return value === null ? undefined : read(value)
}

/** Reads null, and an object without fields, as absent. */
export function orEmptyAbsent(value: unknown, read: Decoder): unknown {
  return value === null || isEmptyObject(value) ? undefined : read(value)
}

/** Reads null, and whatever cannot be read, as absent. @param path the field, for drift */
export function orUnread(value: unknown, path: string, read: Decoder): unknown {
  if (value === undefined || value === null) return undefined
  const drift = countDrift()
  try {
    return read(value)
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error
    takeBackDrift(drift)
    reportUnread(path)
    return undefined
  }
}

/** Whether a value is null. One that is there must be what `read` reads, and is left as it is, or changed in place. */
export function isNullOr(value: unknown, read: Decoder): boolean {
  if (value !== null && value !== undefined) read(value)
  return value === null
}

/** As {@link isNullOr}, of a list whose items are read. */
export function isNullOrList(value: unknown, read: Decoder): boolean {
  return isNullOr(value, (list) => readList(list, read))
}

/** Takes out a field that is null. One that is there must be what `read` reads, and is left as it is. */
export function checkOptional(fields: Record<string, unknown>, key: string, read: Decoder): void {
  if (isNullOr(fields[key], read)) fields[key] = undefined
}

/** Reads a field that may be null or absent. */
export function readOptional(fields: Record<string, unknown>, key: string, read: Decoder): void {
  const value = fields[key]
  if (value !== undefined) fields[key] = orAbsent(value, read)
}

/** Reads a field that counts as absent where it cannot be read. */
export function readLenient(fields: Record<string, unknown>, key: string, read: Decoder): void {
  const value = fields[key]
  if (value !== undefined) fields[key] = orUnread(value, key, read)
}

/** Refuses what is no object. */
export function checkObject(value: unknown): asserts value is Record<string, unknown> {
  if (!isObject(value)) refuse('an object', value)
}

/** The fields of an object. */
export function fieldsOf(value: unknown): Record<string, unknown> {
  checkObject(value)
  return value
}

/** Reads every value of a map. */
export function readMap(value: unknown, read: Decoder): Record<string, unknown> {
  const fields = fieldsOf(value)
  for (const key of Object.keys(fields)) fields[key] = read(fields[key])
  return fields
}

/**
 * Reads a node, and the nodes in the lists under `key` below it, in the order of the text. A loop, since trees may be
 * deeper than the call stack.
 */
export function readTree(root: unknown, key: string, readNode: Decoder): unknown {
  // From the root down to where the reading has come: the nodes on each level, and which one is next.
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

/** What reads an object of which one field, the tag, tells the shape of another, the content. */
export interface TaggedParts {
  /** Reads the other fields. */
  read: Decoder
  tag: string
  content: string
  contents: ReadonlyMap<string, Decoder>
  /** The tag's, for drift. */
  path: string
}

/** Reads an object whose content may be absent, unknown, or of another shape than its tag says. */
export function readTagged(value: unknown, parts: TaggedParts): unknown {
  const fields = fieldsOf(parts.read(value))
  const tag = readText(fields[parts.tag])
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

/** Reads every item of a list. */
export function readList(value: unknown, read: Decoder): unknown[] {
  const items = itemsOf(value)
  for (let index = 0; index < items.length; index++) items[index] = read(items[index])
  return items
}

function itemsOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : refuse('an array', value)
}

/** Passes an object with a tag that is not known. @param path the tag's, for drift */
export function passUnknown(value: unknown, path: string, tag: string): unknown {
  reportUnknown(path, tag)
  return value
}
