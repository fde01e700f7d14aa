import type { Endpoint, ResultOf } from '../../endpoint/endpoint.js'
import type { PagingStrategy, PageQuery } from '../../paging/strategy.js'
import type { WireParams } from '../../schema/check-params.js'
import { parseListPosition, type Leg, type LegQuery, type ListPosition } from './leg.js'

/** What an endpoint lists, and how it is paged through. */
export interface RowList<E extends Endpoint, Row> {
  endpoint: E
  rowsOf(result: ResultOf<E>): readonly Row[]
  /** How rows with these parameters are ordered by the server, and so walked: one leg after another. */
  legsOf(params: WireParams): readonly Leg<Row>[]
  /** The rows that are wanted, where servers do not look at a parameter. */
  keep?: (rows: Row[], params: WireParams) => Row[]
  /** Parameters that only {@link RowList.keep} looks at. */
  ownParams?: readonly string[]
}

/** The paging of a list, as data. */
export function listPaging<E extends Endpoint, Row>(
  list: RowList<E, Row>,
): PagingStrategy<WireParams, ResultOf<E>, Row, ListPosition> {
  type Query = PageQuery<WireParams, ListPosition>
  const open = ({ params, position, pageSize, most }: Query) => {
    const legs = list.legsOf(params)
    const { leg: index = 0, ...place } = position ?? {}
    const sent = withoutNames(params, list.ownParams ?? [])
    const hasPlace = Object.keys(place).length > 0
    const query: LegQuery = { params: sent, place: hasPlace ? place : undefined, pageSize, most }
    // A stored place of a walk with other parameters may name a leg that these do not have.
    return { leg: legs[Math.min(index, legs.length - 1)] as Leg<Row>, index, query, legs }
  }

  return {
    endpoint: list.endpoint.name,
    // A page begins with a row that was delivered, so a page of one would hold nothing new.
    pageSize: { default: 100, min: 2, max: 1000, safe: 100 },
    sizeParameter: 'limit',
    request(pageQuery) {
      const { leg, query } = open(pageQuery)
      return leg.request(query)
    },
    read(result, pageQuery) {
      const { leg, index, query, legs } = open(pageQuery)
      const { fresh, isLast, isShort = false, end } = leg.read(list.rowsOf(result), query)
      const items = list.keep?.([...fresh], pageQuery.params) ?? [...fresh]
      if (!isLast) return { items, isLast, isShort, end: { leg: index, ...end } }
      const isLastLeg = index >= legs.length - 1
      return {
        items,
        isLast: isLastLeg,
        isShort,
        end: isLastLeg ? { leg: index, ...end } : { leg: index + 1 },
      }
    },
    after(items, count, pageQuery) {
      const { leg, index, query } = open(pageQuery)
      return { leg: index, ...leg.after(items.slice(0, count), query) }
    },
    parse: parseListPosition,
  }
}

function withoutNames(params: WireParams, names: readonly string[]): WireParams {
  return Object.fromEntries(Object.entries(params).filter(([name]) => !names.includes(name)))
}
