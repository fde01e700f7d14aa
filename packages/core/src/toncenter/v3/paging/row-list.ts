import type { Endpoint, ResultOf } from '../../endpoint/endpoint.js'
import type { PageQuery, PagingStrategy } from '../../paging/strategy.js'
import type { WireParams } from '../../schema/params-object.js'
import { keysetSegment, type Key, type KeysetRules } from './keyset-segment.js'
import { offsetSegment } from './offset-segment.js'
import { parseListPosition, type ListPosition, type Segment, type SegmentQuery } from './segment.js'

/** The rows of an endpoint, and how they are paginated. */
export interface RowList<E extends Endpoint, Row> {
  endpoint: E
  rowsOf(result: ResultOf<E>): readonly Row[]
  /** Returns the segments of the list in the server's order. */
  segments(params: WireParams): readonly Segment<Row>[]
  /** Selects the rows for parameters that servers ignore. */
  keep?: (rows: Row[], params: WireParams) => Row[]
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
export interface TimedList<E extends Endpoint, Row> extends RowList<E, Row> {
  /** Its order with one of the utime parameters. */
  utime: KeysetRules<Row>
  readinessOf(this: void, row: Row, params: WireParams): Readiness
  /** `true` if a response may be truncated or empty without an error although more rows exist. */
  canTruncate?: boolean
  /** Additional parameters of a watch. */
  watchParams?: WireParams
}

interface TimedRules<E extends Endpoint, Row> extends Pick<
  TimedList<E, Row>,
  'endpoint' | 'rowsOf' | 'ownParams' | 'canTruncate' | 'watchParams'
> {
  idOf(this: void, row: NoInfer<Row>): string
  /** The order without utime parameters. */
  lt: NoInfer<Key<Row>>
  utime: NoInfer<Key<Row>>
  canMove?: boolean
  canLackKey?: boolean
  isTieOrderOpen?: boolean
  /** Returns true if the server orders by another field with these parameters, or ignores the bounds. */
  isUnordered?(params: WireParams): boolean
  /** Returns true if the order is by lt although there are utime parameters. */
  isAlwaysByLt?(params: WireParams): boolean
  /** Returns a function that is true for a row without older rows. */
  oldestOf?(params: WireParams): (row: NoInfer<Row>) => boolean
  keep?(rows: NoInfer<Row>[], params: WireParams): NoInfer<Row>[]
  readinessOf?(this: void, row: NoInfer<Row>, params: WireParams): Readiness
}

/** Creates a list that is ordered by lt, or by time if a utime parameter is passed. */
export function timedList<E extends Endpoint, Row>(rules: TimedRules<E, Row>): TimedList<E, Row> {
  const { endpoint, idOf, canMove = false, canLackKey = false, isTieOrderOpen = false } = rules
  const common = { endpoint: endpoint.name, idOf, canMove, canLackKey, isTieOrderOpen }
  const segments = (params: WireParams): Segment<Row>[] => {
    if (rules.isUnordered?.(params) === true) {
      return [offsetSegment({ endpoint: endpoint.name, idOf })]
    }
    const isTimed = params['start_utime'] !== undefined || params['end_utime'] !== undefined
    const key = isTimed && rules.isAlwaysByLt?.(params) !== true ? rules.utime : rules.lt
    return [keysetSegment({ ...common, key, isOldest: rules.oldestOf?.(params) })]
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
  idOf: (row: NoInfer<RowIn<ResultOf<E>, Field>>) => string,
  isFixed = false,
): RowList<E, RowIn<ResultOf<E>, Field>> {
  return {
    endpoint,
    // The type of the field selects the type of its rows.
    rowsOf: (result) =>
      (rows === undefined ? result : result[rows]) as readonly RowIn<ResultOf<E>, Field>[],
    segments: () => [offsetSegment({ endpoint: endpoint.name, idOf, isFixed })],
  }
}

type RowIn<Result, Field> = (
  Field extends keyof Result ? Result[Field] : Result
) extends readonly (infer Row)[]
  ? Row
  : never

export function listPaging<E extends Endpoint, Row>(
  list: RowList<E, Row>,
): PagingStrategy<WireParams, ResultOf<E>, Row, ListPosition> {
  const open = (query: PageQuery<WireParams, ListPosition>) => {
    const { params } = query
    const segments = list.segments(params)
    const { segment: stored = 0, ...inside } = query.position ?? {}
    // A cursor of other parameters may name a segment that these do not have.
    const index = Math.min(stored, segments.length - 1)
    const position = Object.keys(inside).length > 0 ? inside : undefined
    const own = withoutNames(params, list.ownParams ?? [])
    const inner: SegmentQuery = { ...query, params: own, position }
    return { segment: segments[index] as Segment<Row>, index: stored, inner, segments }
  }

  return {
    endpoint: list.endpoint.name,
    // A page starts with a delivered row, so a page of one would have nothing new.
    pageSize: { default: 100, min: 2, max: 1000, safe: 100 },
    sizeParameter: 'limit',
    request(query) {
      const { segment, inner } = open(query)
      return segment.request(inner)
    },
    read(result, query) {
      const { segment, index, inner, segments } = open(query)
      const page = segment.read(list.rowsOf(result), inner)
      const items = list.keep?.(page.items, query.params) ?? page.items
      const hasNextSegment = page.isLast && index < segments.length - 1
      const end = hasNextSegment ? { segment: index + 1 } : { segment: index, ...page.end }
      return { ...page, items, isLast: page.isLast && !hasNextSegment, end }
    },
    after(items, query) {
      const { segment, index, inner } = open(query)
      return { segment: index, ...segment.after(items, inner) }
    },
    parse: parseListPosition,
  }
}

function withoutNames(params: WireParams, names: readonly string[]): WireParams {
  return Object.fromEntries(Object.entries(params).filter(([name]) => !names.includes(name)))
}
