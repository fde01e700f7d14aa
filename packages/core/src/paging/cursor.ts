import { isObject } from '../schema/readers.js'
import type { Position } from './strategy.js'

/**
 * How far a walk has come: plain JSON, to be stored and given to a later walk with the same parameters, which goes
 * on with the item after the last one delivered.
 */
export interface Cursor {
  readonly endpoint: string
  /** The place after the last item delivered; `null` when there was none. */
  readonly position: Position | null
  /** Tells the parameters of the walk apart: with others it cannot go on. */
  readonly filter?: string | undefined
  /** Whether the walk has reached its end; resumed, it delivers nothing. */
  readonly isDone: boolean
}

/** Whether `value` has the shape of a cursor, whatever endpoint it belongs to. */
export function isCursor(value: unknown): value is Cursor {
  if (!isObject(value)) return false
  const { endpoint, position, isDone, filter = '' } = value
  return (
    typeof endpoint === 'string' &&
    typeof position === 'object' &&
    typeof isDone === 'boolean' &&
    typeof filter === 'string'
  )
}

/** Whether a cursor was made with other parameters than those of `filter`, as far as either is known. */
export function isOfOtherParams(cursor: Cursor, filter: string | undefined): boolean {
  return cursor.filter !== undefined && filter !== undefined && cursor.filter !== filter
}

/** What a cursor with other parameters is refused with, as the end of a sentence. */
export const OTHER_PARAMS = 'was made with other parameters; go on with those, or without it'
