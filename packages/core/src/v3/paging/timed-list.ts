import type { Endpoint, ResultOf } from '../../endpoint/endpoint.js'
import type { WireParams } from '../../schema/check-params.js'
import { keyLeg, type Axis, type KeyRules } from './key-leg.js'
import type { Leg } from './leg.js'
import { offsetLeg } from './offset-leg.js'
import type { RowList } from './row-list.js'

/** What a row of a follow is, as yet. */
export type Readiness =
  /** As it will be. */
  | 'ready'
  /** In a block that is not final. */
  | 'confirmed'
  /** In no block: it comes to be in one at this place, or goes away. */
  | 'pending'
  /** It still grows, and is listed later than now when it no longer does. */
  | 'growing'
  /** Something is missing that may come, or may not. */
  | 'bare'

/** A list with the parameters `start_lt`, `end_lt`, `start_utime` and `end_utime`. */
export interface TimedList<E extends Endpoint, Row> extends RowList<E, Row> {
  /** Its order with either of the utime parameters. */
  utime: KeyRules<Row>
  readinessOf(this: void, row: Row, params: WireParams): Readiness
  /** Whether an answer may break off, or be empty, although there is more, without an error. */
  canBreakOff?: boolean
  /** What a follow asks with besides. */
  followParams?: WireParams
}

/** What such a list is made from. Its rows are what `rowsOf` answers. */
interface TimedRules<E extends Endpoint, Row> {
  endpoint: E
  rowsOf(result: ResultOf<E>): readonly Row[]
  idOf(this: void, row: NoInfer<Row>): string
  /** The order without utime parameters. */
  lt: NoInfer<Axis<Row>>
  utime: NoInfer<Axis<Row>>
  canMove?: boolean
  canLackKey?: boolean
  isTieOrderOpen?: boolean
  /** Whether the server orders by something else with these parameters, or does not look at the bounds. */
  isUnordered?(params: WireParams): boolean
  /** Whether the order is by lt although there are utime parameters. */
  isAlwaysByLt?(params: WireParams): boolean
  /** Whether nothing can be older than the row, newest first. */
  oldestOf?(params: WireParams): (row: NoInfer<Row>) => boolean
  keep?(rows: NoInfer<Row>[], params: WireParams): NoInfer<Row>[]
  ownParams?: readonly string[]
  readinessOf?(this: void, row: NoInfer<Row>, params: WireParams): Readiness
  canBreakOff?: boolean
  followParams?: WireParams
}

/** A list that is ordered by lt, and by time as soon as a time is given. */
export function timedList<E extends Endpoint, Row>(rules: TimedRules<E, Row>): TimedList<E, Row> {
  const { endpoint, idOf, canMove = false, canLackKey = false, isTieOrderOpen = false } = rules
  const common = { endpoint: endpoint.name, idOf, canMove, canLackKey, isTieOrderOpen }
  const utime: KeyRules<Row> = { ...common, axis: rules.utime }
  const legsOf = (params: WireParams): Leg<Row>[] => {
    if (rules.isUnordered?.(params) === true) return [offsetLeg({ endpoint: endpoint.name, idOf })]
    const isTimed = params['start_utime'] !== undefined || params['end_utime'] !== undefined
    const axis = isTimed && rules.isAlwaysByLt?.(params) !== true ? rules.utime : rules.lt
    return [keyLeg({ ...common, axis, isOldest: rules.oldestOf?.(params) })]
  }
  return { ...rules, legsOf, utime, readinessOf: rules.readinessOf ?? (() => 'ready') }
}

/**
 * What the server tells about how settled a row is. What the index lists is in a block, unless it says otherwise: servers
 * before the middle of 2026 say nothing, and newer ones may say what is not known here.
 */
export function readinessOfFinality(row: {
  readonly finality?: string | undefined
  readonly emulated?: boolean | undefined
}): Readiness {
  if (row.finality === 'pending' || row.emulated === true) return 'pending'
  return row.finality === 'confirmed' ? 'confirmed' : 'ready'
}
