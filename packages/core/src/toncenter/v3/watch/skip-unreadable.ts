import { isObject } from '../../../shared/is-object.js'
import type { Endpoint, ParametersOf, ResultOf } from '../../endpoint/endpoint.js'
import type { QueryValue } from '../../endpoint/query.js'
import { ResponseShapeError } from '../../errors/api.js'
import type { WireParams } from '../../schema/params-object.js'
import type { RequestOptions } from '../../transport/call-options.js'
import type { TimedList } from '../paging/row-list.js'
import type { PollCalls } from './watch.js'

/** The path of an unreadable row: the name of the list and the row's index. */
const ROW = /^(\w+)\[(\d+)\]/

export interface UnreadableRow {
  error: ResponseShapeError
  id: string | undefined
  utime: number | undefined
}

/** Reads pages of a list in which some rows are skipped. */
export interface PageReader<E extends Endpoint, Row> {
  list: TimedList<E, Row>
  calls: PollCalls
  isSkipped(this: void, id: string): boolean
  refuse(this: void, row: UnreadableRow): Error
}

/** A page with an unreadable row at `index` of the list `name`. */
interface BrokenPage {
  name: string
  index: number
  error: ResponseShapeError
  params: WireParams
  options: RequestOptions
}

/**
 * Reads a page. If it has an unreadable row that is skipped, reads the rows before and after it separately.
 * @throws the error of `refuse` for any other unreadable row.
 */
export async function readPage<E extends Endpoint, Row>(
  reader: PageReader<E, Row>,
  params: WireParams,
  options: RequestOptions,
): Promise<ResultOf<E>> {
  const { list, calls } = reader
  try {
    // They are checked parameters of the endpoint.
    return await calls.call(list.endpoint, params as ParametersOf<E>, options)
  } catch (error) {
    const [, name, index] = error instanceof ResponseShapeError ? (ROW.exec(error.path) ?? []) : []
    if (!(error instanceof ResponseShapeError) || name === undefined) throw error
    const page = { name, index: Number(index), error, params, options }
    const body = await readSkippedRow(reader, page)
    return await readOtherRows(reader, page, body)
  }
}

/** Requests the row alone, unchecked. Returns the response body. */
async function readSkippedRow<E extends Endpoint, Row>(
  { list, calls, isSkipped, refuse }: PageReader<E, Row>,
  { name, index, error, params, options }: BrokenPage,
): Promise<Readonly<Record<string, unknown>>> {
  const offset = Number(params['offset'] ?? 0) + index
  const alone = { ...params, limit: 1, offset }
  const { path } = list.endpoint
  // Checked parameters can be sent in a query.
  const query = alone as unknown as Readonly<Record<string, QueryValue | readonly QueryValue[]>>
  const body = await calls.readRaw({ path, params: query }, options)
  const rows: unknown = isObject(body) ? body[name] : undefined
  const row: unknown = Array.isArray(rows) ? rows[0] : undefined
  const known = isObject(row) ? identify(list, row) : { id: undefined, utime: undefined }
  if (!isObject(body) || known.id === undefined || !isSkipped(known.id)) {
    throw refuse({ error, ...known })
  }
  return body
}

/** Reads the rows before and after it, as one result. */
async function readOtherRows<E extends Endpoint, Row>(
  reader: PageReader<E, Row>,
  { name, index, params, options }: BrokenPage,
  body: Readonly<Record<string, unknown>>,
): Promise<ResultOf<E>> {
  const limit = Number(params['limit'])
  const offset = Number(params['offset'] ?? 0)
  const read = async (first: number, count: number): Promise<readonly Row[]> => {
    if (count <= 0) return []
    const part = { ...params, offset: offset + first, limit: count }
    return reader.list.rowsOf(await readPage(reader, part, options))
  }
  const before = await read(0, index)
  const after = await read(index + 1, limit - index - 1)
  // A result of the endpoint, as far as its list of rows is used.
  return { ...body, [name]: [...before, ...after] } as ResultOf<E>
}

/** Returns the id and the time of an unreadable row, if they are readable. */
function identify<E extends Endpoint, Row>(
  { utime: { idOf, key } }: TimedList<E, Row>,
  raw: Readonly<Record<string, unknown>>,
): { id: string | undefined; utime: number | undefined } {
  const present = Object.entries(raw).filter(([, value]) => value !== null)
  // A missing or invalid field is detected in the results below.
  const row = Object.fromEntries(present) as Row
  const utime = Number(key.keyOf(row))
  const id = idOf(row)
  const isKnown = typeof id === 'string' && id !== '' && !id.includes('undefined')
  return { id: isKnown ? id : undefined, utime: Number.isSafeInteger(utime) ? utime : undefined }
}
