import { incompleteList, invalidPage } from './errors.js'
import type { WireParams } from '../schema/params-object.js'
import { unknownRows, type Segment, type SegmentPosition, type SegmentQuery } from './segment.js'

/** The key that rows are ordered by, and the parameters of its bounds, both inclusive. */
export interface Key<Row = unknown> {
  start: 'start_lt' | 'start_utime'
  end: 'end_lt' | 'end_utime'
  /** The field, for errors. */
  field: string
  keyOf(row: Row): bigint | number | undefined
}

export function byLt<Field extends string>(
  field: Field,
): Key<{ readonly [Name in Field]?: bigint | undefined }> {
  return { start: 'start_lt', end: 'end_lt', field, keyOf: (row) => row[field] }
}

export function byUtime<Field extends string>(
  field: Field,
): Key<{ readonly [Name in Field]?: number | undefined }> {
  return { start: 'start_utime', end: 'end_utime', field, keyOf: (row) => row[field] }
}

/** The largest values of the bounds, for a loop without another end. */
const OPEN_ENDS = { end_lt: '9223372036854775807', end_utime: '2147483647' }

/** Returns true for a position before the end that the list had when its loop started. */
export function isBeforeEnd({ key, endKey }: SegmentPosition = {}): boolean {
  if (endKey === undefined || isOpenEnd(endKey)) return false
  return BigInt(key ?? -1) < BigInt(endKey)
}

function isOpenEnd(endKey: string): boolean {
  return Object.values(OPEN_ENDS).includes(endKey)
}

export interface KeysetRules {
  endpoint: string
  key: Key
  idOf(this: void, row: unknown): string
  /** Parameters that the segment adds. */
  extraParams?: WireParams
  /**
   * `true` for a list by traces: a row may later move or disappear. A server may list rows without the key; newest first,
   * they precede all others, so they are left out.
   */
  isByTrace?: boolean
  /** `true` if the server lists rows with equal keys in undefined order, so that an offset among them is meaningless. */
  isTieOrderOpen?: boolean
  /** Returns true if no row is older, newest first. */
  isOldest?(row: unknown): boolean
  /** `true` if an ascending loop ends at the bound of the parameters, regardless of rows that are added. */
  hasEnd?: boolean
  /** `true` if a page of known rows counts as the end, because the same rows are soon read again. */
  isEndUnproven?: boolean
}

/**
 * Paginates by the key of the last row (keyset pagination): each request starts at that key, and the rows that were read
 * there are left out. New rows do not shift the list, and each page costs the server the same. An offset skips known rows
 * only if one key fills half a page. If the order of rows with equal keys is undefined, a larger page is requested instead,
 * and more rows than a page can hold are an error.
 *
 * A short page is not the end, since servers may return fewer rows than requested, and all of them may be known. The list
 * ends where a request after the known rows of the last key returns nothing.
 *
 * Newest first, rows that are added after the first page are not part of the loop. Oldest first, the first request reads
 * the newest row, which becomes the end.
 */
export function keysetSegment(rules: KeysetRules): Segment {
  const { idOf } = rules
  const after = (rows: readonly unknown[], { position }: SegmentQuery): SegmentPosition => {
    const keys = keysOf(rules, rows, position)
    const key = keys.at(-1)
    if (key === undefined) return position ?? {}
    const before = position?.key === String(key) ? (position.seen ?? []) : []
    const ids = rows.filter((_, index) => keys[index] === key).map(idOf)
    const end = position?.endKey === undefined ? {} : { endKey: position.endKey }
    return { ...end, key: String(key), seen: [...new Set([...before, ...ids])] }
  }

  return {
    request: (query) => ({ ...query.params, ...rules.extraParams, ...pageParams(rules, query) }),
    read(rows, query) {
      if (needsEnd(rules, query)) return readEnd(rules, rows)
      const { position } = query
      const isShort = rows.length < limitOf(rules, query)
      refuseOutside(rules, rows, query)
      const last = rows.at(-1)
      if (last === undefined) return { items: [], isShort, ...readEmpty(rules, position) }
      const items = unknownRows(rows, idOf, position?.seen)
      refuseKeyless(rules, rows, position)
      refuseTies(rules, rows, position)
      if (items.length === 0) {
        return { items, isShort, ...readKnown(rules, query, { count: rows.length, last }) }
      }
      const isLast = !isAscending(query) && rules.isOldest?.(last) === true
      return { items, isLast, isShort, end: after(rows, query) }
    },
    after,
  }
}

/** Reads an empty page. It is the end if it started after the known rows. Otherwise those rows are missing. */
function readEmpty(rules: KeysetRules, position: SegmentPosition = {}) {
  const { seen = [], endKey, offset } = position
  const isExpected = seen.length > 0 || (endKey !== undefined && !isOpenEnd(endKey))
  if (!isExpected || offset !== undefined) return { isLast: true, end: position }
  if (rules.isByTrace !== true) {
    // The page must start with the last rows of the previous one. Without them, it is not the end of the list.
    const reason = `a page ends before known rows with one ${rules.key.field}`
    throw incompleteList(rules.endpoint, 'ERR_TONPLUG_SERVER', reason)
  }
  // The known rows may have moved, and the following rows are now in their place.
  return { isLast: rules.isEndUnproven === true, end: { ...position, offset: 0 } }
}

/** Reads a page of known rows. The next page starts after them and shows if anything follows. */
function readKnown(
  rules: KeysetRules,
  query: SegmentQuery,
  { count, last }: { count: number; last: unknown },
) {
  const { position = {}, maxPageSize } = query
  if (rules.isTieOrderOpen === true && count >= maxPageSize) throw tooManyTies(rules, position)
  const isShort = count < limitOf(rules, query)
  if (rules.isEndUnproven === true && isShort) return { isLast: true, end: position }
  const known = position.seen?.length ?? 0
  if (position.offset === undefined) {
    const offset = Math.max(known, offsetOf(rules, query) + count)
    return { isLast: false, end: { ...position, offset, largest: count } }
  }
  // A new row may shift the known ones, but the same page must not be returned again.
  const lastKnown = rules.idOf(last)
  if (lastKnown === position.lastKnown) {
    // Without a working offset, the end cannot be distinguished from a truncated response.
    throw invalidPage(rules.endpoint, 'the page at its offset: it repeats the previous page')
  }
  return { isLast: false, end: { ...position, offset: position.offset + count, lastKnown } }
}

function pageParams(rules: KeysetRules, query: SegmentQuery): WireParams {
  const { key: by, isByTrace } = rules
  const { params, position, pageSize } = query
  const start = params[by.start] ?? (isByTrace === true ? 0 : undefined)
  const lower = start === undefined ? {} : { [by.start]: start }
  if (needsEnd(rules, query)) return { ...lower, sort: 'desc', limit: pageSize }
  const { key, endKey } = position ?? {}
  const offset = offsetOf(rules, query)
  const limit = limitOf(rules, query)
  const page = { sort: params['sort'] ?? 'desc', limit, ...(offset > 0 && { offset }) }
  const write = (value: string): string | number => (by.end === 'end_lt' ? value : Number(value))
  if (!isAscending(query)) {
    return { ...lower, ...page, ...(key !== undefined && { [by.end]: write(key) }) }
  }
  return {
    ...lower,
    ...page,
    ...(key !== undefined && { [by.start]: write(key) }),
    ...(endKey !== undefined && { [by.end]: write(endKey) }),
  }
}

/** Returns the number of known rows with the page's first key to skip, so that half of the page is left for new rows. */
function offsetOf({ isTieOrderOpen }: KeysetRules, query: SegmentQuery): number {
  const { position, pageSize } = query
  if (position?.offset !== undefined) return position.offset
  if (isTieOrderOpen === true) return 0
  return Math.max(0, (position?.seen?.length ?? 0) - Math.floor(pageSize / 2))
}

/** Returns the limit of a page. If the order of equal keys is undefined, the page must hold all rows with one key. */
function limitOf({ isTieOrderOpen }: KeysetRules, query: SegmentQuery): number {
  const { position, pageSize, maxPageSize } = query
  if (isTieOrderOpen !== true) return pageSize
  return Math.max(pageSize, Math.min(maxPageSize, 2 * (position?.seen?.length ?? 0)))
}

function isAscending({ params }: SegmentQuery): boolean {
  return params['sort'] === 'asc'
}

/** Returns true for the request of the newest row, where an ascending loop ends. */
function needsEnd({ hasEnd }: KeysetRules, query: SegmentQuery): boolean {
  return isAscending(query) && hasEnd !== true && query.position?.endKey === undefined
}

function readEnd(rules: KeysetRules, rows: readonly unknown[]) {
  refuseKeyless(rules, rows, undefined)
  const [first] = rows
  if (first === undefined) return { items: [], isLast: true, end: {} }
  const newest = rules.key.keyOf(first)
  // If the newest row has no key, the current end of the list is unknown.
  const endKey = newest === undefined ? OPEN_ENDS[rules.key.end] : String(newest)
  return { items: [], isLast: false, end: { endKey } }
}

/**
 * Returns the keys of rows in their order. A row without a key, for example an external message, gets that of the previous
 * row. At the beginning it gets that of the position, or the first key in the page.
 */
function keysOf(
  rules: KeysetRules,
  rows: readonly unknown[],
  position: SegmentPosition | undefined,
): (bigint | undefined)[] {
  const keys = rows.map((row) => rules.key.keyOf(row))
  const first = position?.key ?? keys.find((key) => key !== undefined)
  let current = first === undefined ? undefined : BigInt(first)
  return keys.map((key) => {
    if (key !== undefined) current = BigInt(key)
    return current
  })
}

/** @throws {ResponseShapeError} if no row has a key to continue from. */
function refuseKeyless(
  rules: KeysetRules,
  rows: readonly unknown[],
  position: SegmentPosition | undefined,
): void {
  if (rows.length === 0 || keysOf(rules, rows, position)[0] !== undefined) return
  throw invalidPage(rules.endpoint, `an integer in ${rules.key.field} of its rows`)
}

/** @throws {ResponseShapeError} if the server ignores the bound: the same page would be requested indefinitely. */
function refuseOutside(rules: KeysetRules, rows: readonly unknown[], query: SegmentQuery): void {
  const at = query.position?.key
  if (at === undefined) return
  const { key: by } = rules
  const isOutside = (row: unknown): boolean => {
    const key = by.keyOf(row)
    return key !== undefined && (isAscending(query) ? key < BigInt(at) : key > BigInt(at))
  }
  if (!rows.some(isOutside)) return
  const bound = isAscending(query) ? by.start : by.end
  throw invalidPage(rules.endpoint, `rows with ${by.field} within ${bound}`)
}

/**
 * @throws {ResponseShapeError} if a page that started at a key had fewer rows than are known with it: in undefined order,
 *   some of them may never be returned.
 */
function refuseTies(
  rules: KeysetRules,
  [first]: readonly unknown[],
  position: SegmentPosition | undefined,
): void {
  const { offset, largest = 0, seen = [], key } = position ?? {}
  const wasComplete = offset === undefined || largest >= seen.length
  if (rules.isTieOrderOpen !== true || position === undefined || wasComplete) return
  if (first !== undefined && String(rules.key.keyOf(first)) === key) {
    throw tooManyTies(rules, position)
  }
}

function tooManyTies(rules: KeysetRules, { key, seen }: SegmentPosition) {
  const { field } = rules.key
  const many = `the ${seen?.length ?? 0} known rows and more have ${field} ${key}`
  const help = 'use a narrower filter, or read these rows with another one'
  return invalidPage(rules.endpoint, `a page that goes beyond one ${field}: ${many}; ${help}`)
}
