import { optionalParam } from '../schema/param.js'
import { ltParam, timeParam } from '../schema/params.js'
import { limitParam, offsetParam, sortParam } from './params.js'

/** Bounds of what took place, each of them included. */
export const inTime = {
  /** From this time on. */
  start_utime: optionalParam(timeParam),
  /** Up to this time, that one included. */
  end_utime: optionalParam(timeParam),
  /** From this lt on. */
  start_lt: optionalParam(ltParam()),
  /** Up to this lt, that one included. */
  end_lt: optionalParam(ltParam()),
}

/** A page of a list. */
export const page = {
  /** How many at most. @default 10 */
  limit: limitParam(),
  /** How many to skip. A list that grows meanwhile moves: bound it with `end_lt` or `end_utime`. @default 0 */
  offset: offsetParam,
}

/** A page of a list that goes either way. */
export const sorted = {
  ...page,
  /** The oldest first, `asc`, or the newest. @default 'desc' */
  sort: optionalParam(sortParam),
}
