import { isObject } from '../../shared/is-object.js'
import type { QueryValue } from '../endpoint/raw-request.js'
import { ResponseShapeError } from '../errors/api.js'
import type { WireParams } from '../schema/params-object.js'
import type { RequestOptions } from '../transport/call-options.js'
import type { TimedList } from '../paging/row-list.js'
import { UnreadableRowError } from './errors.js'
import { cursorAt, type Poll } from './poll.js'

/** The path of an unreadable row: the name of the list and the row's index. */
const ROW = /^(\w+)\[(\d+)\]/

/**
 * Requests rows. If one of them is unreadable and is skipped, reads the rows before and after it separately.
 * @throws {UnreadableRowError} for any other unreadable row.
 */
export async function readRows(
  poll: Poll,
  params: WireParams,
  options: RequestOptions,
): Promise<readonly unknown[]> {
  const { list, server } = poll
  try {
    return list.rowsOf(await server.call(list.endpoint, params, options))
  } catch (error) {
    const [, name, digits] = error instanceof ResponseShapeError ? (ROW.exec(error.path) ?? []) : []
    if (!(error instanceof ResponseShapeError) || name === undefined) throw error
    const index = Number(digits)
    const offset = Number(params['offset'] ?? 0)
    const read = async (first: number, limit: number): Promise<readonly unknown[]> =>
      limit <= 0 ? [] : readRows(poll, { ...params, offset: offset + first, limit }, options)
    const row = await readUnchecked(poll, name, { ...params, offset: offset + index }, options)
    refuseUnlessSkipped(poll, row, error)
    const before = await read(0, index)
    return [...before, ...(await read(index + 1, Number(params['limit']) - index - 1))]
  }
}

/** Requests a row alone and returns it unchecked. @param name the list of the response */
async function readUnchecked(
  { list, server }: Poll,
  name: string,
  params: WireParams,
  options: RequestOptions,
): Promise<unknown> {
  // Checked parameters can be sent in a query.
  const query = { ...params, limit: 1 } as unknown as Readonly<
    Record<string, QueryValue | readonly QueryValue[]>
  >
  const body = await server.readRaw({ path: list.endpoint.path, params: query }, options)
  const rows: unknown = isObject(body) ? body[name] : undefined
  return Array.isArray(rows) ? rows[0] : undefined
}

/** @throws {UnreadableRowError} unless the cursor of the watch skips the row. */
function refuseUnlessSkipped(poll: Poll, row: unknown, error: ResponseShapeError): void {
  const { list, progress } = poll
  const { id, utime } = isObject(row) ? identify(list, row) : { id: undefined, utime: undefined }
  if (id !== undefined && progress.has(id)) return
  const isPlaced = id !== undefined && utime !== undefined
  const cursor = isPlaced ? cursorAt(poll, progress.positionWithout(id, utime)) : undefined
  throw new UnreadableRowError(error, { row: id, cursor })
}

/** Returns the id and the time of an unreadable row, if they are readable. */
function identify(
  { utime: { idOf, key } }: TimedList,
  raw: Readonly<Record<string, unknown>>,
): { id: string | undefined; utime: number | undefined } {
  // A missing or invalid field is detected in the results below.
  const row = Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== null))
  const utime = Number(key.keyOf(row))
  const id: unknown = idOf(row)
  const isKnown = typeof id === 'string' && id !== '' && !id.includes('undefined')
  return { id: isKnown ? id : undefined, utime: Number.isSafeInteger(utime) ? utime : undefined }
}
