import type { Cursor } from '../paging/cursor.js'
import { ApiError } from './api.js'
import type { CallFacts } from './http.js'

/** What an {@link UnreadableRowError} knows. */
export interface UnreadableRowErrorDetails extends CallFacts {
  /** Where in the answer, as in `transactions[3].lt`. */
  path: string
  /** What belongs there. */
  expected: string
  /** What tells the row apart, as its hash, or the block; `undefined` when that cannot be read either. */
  row: string | undefined
  /** Goes on without the row and leaves out no other; `undefined` when the row's place cannot be read either. */
  cursor: Cursor | undefined
}

/**
 * A follow cannot read a row, and does not leave it out by itself. The follow's own cursor stands before the row: a
 * newer version may read it. `details.cursor` goes on without it.
 */
export class UnreadableRowError extends ApiError<UnreadableRowErrorDetails> {
  override readonly name = 'UnreadableRowError'
  readonly code = 'ERR_TONPLUG_UNREADABLE_ROW'

  constructor(facts: UnreadableRowErrorDetails & { cause: unknown }) {
    const { cause, ...details } = facts
    const which = details.row === undefined ? 'a row' : `row ${details.row}`
    const help =
      details.cursor === undefined
        ? 'read it by its filters'
        : 'look at it, then go on without it from details.cursor'
    super({
      message: `${details.endpoint}: ${which} cannot be read: ${details.path} is not ${details.expected}; ${help}`,
      details,
      cause,
    })
  }

  /** Goes on without the row. */
  get cursor(): Cursor | undefined {
    return this.details.cursor
  }
}

/** What a {@link NotFinalError} knows. */
export interface NotFinalErrorDetails extends CallFacts {
  /** What tells the row apart, as its hash. */
  row: string
  /** Its time, Unix seconds. */
  utime: number
  /** How long it was waited for, seconds of the chain. */
  waitedSeconds: number
}

/** A follow has waited long enough for a pending row, and goes on without it. Told to `onError`, not thrown. */
export class NotFinalError extends ApiError<NotFinalErrorDetails> {
  override readonly name = 'NotFinalError'
  readonly code = 'ERR_TONPLUG_NOT_FINAL'

  constructor(facts: NotFinalErrorDetails) {
    const { endpoint, row, waitedSeconds } = facts
    super({
      message: `${endpoint}: row ${row} is still pending ${waitedSeconds} s after its time, so the follow goes on without it; ask for it by its hash later`,
      details: facts,
    })
  }
}
