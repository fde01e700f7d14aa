import type { Cursor } from '@tonplug/core'
import { concatMap, defer, EMPTY, finalize, of, repeat } from 'rxjs'
import type { Observable, ObservableInput } from 'rxjs'

/** A follow or a walk of core's client of API v3: its rows, and how far it has come. */
export interface Rows<Row> extends AsyncIterable<Row> {
  cursor(): Cursor
}

/**
 * A follow or a walk as an Observable of what `project` makes of its rows. One row is in flight: the next one is asked
 * for when what `project` returned has completed, as with `concatMap`, but nothing piles up behind it, and `cursor()`
 * is right for the row at hand. Each subscription begins a loop of its own; unsubscribing aborts its signal, and with
 * it the request or the wait that it is in. A walk completes; a follow goes on. What fails for good, in the loop or in
 * `project`, is the Observable's error.
 * @param open makes the follow or walk; pass the signal on to it.
 * @param project handles a row; `rows` is what `open` returned.
 * @example
 * ```ts
 * const booked = observeRows(
 *   (signal) => v3.transactions.follow({ account }, { cursor, signal }),
 *   (transaction, follow) => book(transaction, follow.cursor()),
 * )
 * const subscription = booked.subscribe({ error: (error) => logger.error(error) })
 * ```
 */
export function observeRows<Row, Result>(
  open: (signal: AbortSignal) => Rows<Row>,
  project: (row: Row, rows: Rows<Row>) => ObservableInput<Result>,
): Observable<Result> {
  return defer(() => {
    const stop = new AbortController()
    const rows = open(stop.signal)
    const iterator = rows[Symbol.asyncIterator]()
    let isDone = false
    return defer(async () => iterator.next()).pipe(
      concatMap((next) => {
        isDone = next.done === true
        return next.done === true ? EMPTY : project(next.value, rows)
      }),
      repeat({ delay: () => (isDone ? EMPTY : of(undefined)) }),
      finalize(() => {
        stop.abort()
        void iterator.return?.()
      }),
    )
  })
}
