import type { Endpoint, ResultOf } from '../endpoint/endpoint.js'
import type { Page, PageSizes } from './pages.js'
import type { WireParams } from '../schema/params-object.js'
import { keysetSegment, type Key, type KeysetRules } from './keyset-segment.js'
import { offsetSegment } from './offset-segment.js'
import type { ListPosition, Segment, SegmentQuery } from './segment.js'

/**
 * The rows of an endpoint, and how they are paginated. Paging does not look into rows: their type is known only where a list
 * is defined, and where the client declares what it returns.
 */
export interface RowList {
  endpoint: Endpoint
  rowsOf(result: unknown): readonly unknown[]
  /** Returns the segments of the list in the server's order. */
  segments(params: WireParams): readonly Segment[]
  /** Selects the rows for parameters that servers ignore. */
  keep?(rows: unknown[], params: WireParams): unknown[]
  /** Parameters that only {@link RowList.keep} uses. */
  ownParams?: readonly string[]
}

/** Progress of a row in a watch. */
export type Readiness =
  /** Final. */
  | 'ready'
  /** In a block that is not final. */
  | 'confirmed'
  /** Not in a block yet: it will be added to one at this position, or disappear. */
  | 'pending'
  /** It will be listed with a later time when it is complete. */
  | 'growing'
  /** Part of it is missing and may be added later. */
  | 'incomplete'

/** A list with the parameters `start_lt`, `end_lt`, `start_utime` and `end_utime`. */
export interface TimedList extends RowList {
  /** Its order with one of the utime parameters. */
  utime: KeysetRules
  readinessOf(this: void, row: unknown, params: WireParams): Readiness
  /** `true` if a response may be truncated or empty without an error although more rows exist. */
  canTruncate?: boolean
  /** Additional parameters of a watch. */
  watchParams?: WireParams
}

interface TimedRules<E extends Endpoint, Row>
  extends
    Pick<RowList, 'ownParams'>,
    Pick<TimedList, 'canTruncate' | 'watchParams'>,
    Pick<KeysetRules, 'isByTrace' | 'isTieOrderOpen'> {
  endpoint: E
  rowsOf(result: ResultOf<E>): readonly Row[]
  idOf(this: void, row: NoInfer<Row>): string
  /** The order without utime parameters. */
  lt: NoInfer<Key<Row>>
  utime: NoInfer<Key<Row>>
  /** Returns true if the server orders by another field with these parameters, or ignores the bounds. */
  isUnordered?(params: WireParams): boolean
  /** Returns true if the order is by lt although there are utime parameters. */
  isAlwaysByLt?(params: WireParams): boolean
  /** Returns true for a row without older rows. */
  isOldest?(row: NoInfer<Row>, params: WireParams): boolean
  keep?(rows: NoInfer<Row>[], params: WireParams): NoInfer<Row>[]
  readinessOf?(this: void, row: NoInfer<Row>, params: WireParams): Readiness
}

/** Creates a list that is ordered by lt, or by time if a utime parameter is passed. */
export function timedList<E extends Endpoint, Row>(rules: TimedRules<E, Row>): TimedList {
  const { endpoint, idOf, isByTrace = false, isTieOrderOpen = false } = rules
  const common = { endpoint: endpoint.name, idOf, isByTrace, isTieOrderOpen }
  const segments = (params: WireParams): Segment[] => {
    if (rules.isUnordered?.(params) === true) return [offsetSegment(common)]
    const isTimed = params['start_utime'] !== undefined || params['end_utime'] !== undefined
    const key = isTimed && rules.isAlwaysByLt?.(params) !== true ? rules.utime : rules.lt
    const isOldest = (row: Row): boolean => rules.isOldest?.(row, params) === true
    return [keysetSegment({ ...common, key, isOldest })]
  }
  return {
    ...rules,
    segments,
    utime: { ...common, key: rules.utime },
    readinessOf: rules.readinessOf ?? (() => 'ready'),
  }
}

/** Creates a list that has only an offset. @param rows the field of the result; `undefined` if it is the list itself */
export function offsetList<E extends Endpoint, Field extends keyof ResultOf<E> | undefined>(
  endpoint: E,
  rows: Field,
  idOf: (row: RowIn<ResultOf<E>, Field>) => string,
  isFixed = false,
): RowList {
  return {
    endpoint,
    // The type of the field selects the type of its rows.
    rowsOf: (result: ResultOf<E>) =>
      (rows === undefined ? result : result[rows]) as readonly RowIn<ResultOf<E>, Field>[],
    segments: () => [offsetSegment({ endpoint: endpoint.name, idOf, isFixed })],
  }
}

type RowIn<Result, Field> = (
  Field extends keyof Result ? Result[Field] : Result
) extends readonly (infer Row)[]
  ? Row
  : never

// A page starts with a delivered row, so a page of one would have nothing new.
export const listSizes: PageSizes = {
  default: 100,
  min: 2,
  max: 1000,
  safe: 100,
  parameter: 'limit',
}

/** Reads a page of a list. @param load requests the rows */
export async function readListPage(
  list: RowList,
  query: SegmentQuery<ListPosition>,
  load: (params: WireParams) => Promise<readonly unknown[]>,
): Promise<Page<unknown, ListPosition>> {
  const segments = list.segments(query.params)
  const { segment: stored = 0, ...inside } = query.position ?? {}
  // A cursor of other parameters may name a segment that these do not have.
  const index = Math.min(stored, segments.length - 1)
  const segment = segments[index] as Segment
  const position = Object.keys(inside).length > 0 ? inside : undefined
  const inner = { ...query, params: withoutNames(query.params, list.ownParams), position }
  const page = segment.read(await load(segment.request(inner)), inner)
  const items = list.keep?.(page.items, query.params) ?? page.items
  const hasNextSegment = page.isLast && index < segments.length - 1
  const end = hasNextSegment ? { segment: index + 1 } : { segment: index, ...page.end }
  const after = (count: number): ListPosition | undefined => {
    if (count === items.length) return end
    if (count === 0) return query.position
    return { segment: index, ...segment.after(items.slice(0, count), inner) }
  }
  return { ...page, items, isLast: page.isLast && !hasNextSegment, after }
}

function withoutNames(params: WireParams, names: readonly string[] = []): WireParams {
  return Object.fromEntries(Object.entries(params).filter(([name]) => !names.includes(name)))
}
