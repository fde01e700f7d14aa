import type { ResponseShapeError } from '../errors/api.js'
import { CallError, type CallFacts } from '../errors/call-error.js'
import type { Cursor } from '../paging/cursor.js'

export interface UnreadableRowErrorDetails extends CallFacts {
  /** The field of the response, for example `transactions[3].lt`. */
  path: string
  expected: string
  /** The id of the row, for example its hash, or the block; `undefined` if it is unreadable too. */
  row: string | undefined
  /** Continues after the row without skipping another one; `undefined` if the row's position is unreadable too. */
  cursor: Cursor | undefined
}

/**
 * A row of a watch is unreadable, and is not skipped automatically. The watch's own cursor is before the row, which a newer
 * version may be able to read. `details.cursor` continues without it.
 */
export class UnreadableRowError extends CallError<UnreadableRowErrorDetails> {
  override readonly name = 'UnreadableRowError'
  readonly code = 'ERR_TONPLUG_UNREADABLE_ROW'

  constructor(
    cause: ResponseShapeError,
    { row, cursor }: Pick<UnreadableRowErrorDetails, 'row' | 'cursor'>,
  ) {
    const { endpoint, attempts, path, expected } = cause.details
    const which = row === undefined ? 'a row' : `row ${row}`
    const help =
      cursor === undefined
        ? 'read it with its filters'
        : 'check it, then continue without it from details.cursor'
    super({
      message: `${endpoint}: ${which} is unreadable: ${path} is not ${expected}; ${help}`,
      details: { endpoint, attempts, path, expected, row, cursor },
      cause,
    })
  }

  /** Continues without the row. */
  get cursor(): Cursor | undefined {
    return this.details.cursor
  }
}

export interface NotFinalErrorDetails extends CallFacts {
  /** The id of the row, for example its hash. */
  row: string
  /** Its time, Unix seconds. */
  utime: number
  /** The time that the watch waited for it, seconds of the chain. */
  waitedSeconds: number
}

/** A row stayed pending for too long, and the watch continues without it. Passed to `onError`, not thrown. */
export class NotFinalError extends CallError<NotFinalErrorDetails> {
  override readonly name = 'NotFinalError'
  readonly code = 'ERR_TONPLUG_NOT_FINAL'

  constructor(details: NotFinalErrorDetails) {
    const { endpoint, row, waitedSeconds } = details
    super({
      message: `${endpoint}: row ${row} is still pending ${waitedSeconds} s after its time, so the watch continues without it; request it by its hash later`,
      details,
    })
  }
}
