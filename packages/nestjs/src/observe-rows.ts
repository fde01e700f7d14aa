import type { Cursor } from '@tonplug/core/toncenter'
import { concatMap, defer, EMPTY, finalize, of, repeat } from 'rxjs'
import type { Observable, ObservableInput } from 'rxjs'

/** The rows of a subscription or iteration of API v3, with its position. */
export interface Rows<Row> extends AsyncIterable<Row> {
  cursor(): Cursor
}

/**
 * Returns an Observable of the results of `project` for each row. The next row is requested when the result of `project` for
 * the current one has completed, as with `concatMap`, but without a buffer, so that `cursor()` is the position of the current
 * row. Each subscription runs its own loop. Unsubscribing aborts the signal and with it the current request or wait. The
 * Observable completes with its iteration, and fails with the permanent errors of the loop and the errors of `project`.
 * @param open starts the subscription or iteration with the given signal.
 * @param project handles a row; `rows` is the result of `open`.
 * @example
 * ```ts
 * const booked = observeRows(
 *   (signal) => v3.transactions.watch({ account }, { cursor, signal }),
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
