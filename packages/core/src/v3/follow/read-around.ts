import type { Endpoint, ParametersOf, ResultOf } from '../../endpoint/endpoint.js'
import { ResponseShapeError } from '../../errors/api.js'
import type { QueryValue } from '../../endpoint/query.js'
import type { WireParams } from '../../schema/check-params.js'
import { isObject } from '../../schema/readers.js'
import type { RequestOptions } from '../../transport/options.js'
import type { TimedList } from '../paging/timed-list.js'
import type { PollCalls } from './follow-source.js'

/** The first row that an error is about: the list's name, and the row's index. */
const ROW = /^(\w+)\[(\d+)\]/

/** A row that cannot be read, as far as it is known. */
export interface BadRow {
  error: ResponseShapeError
  id: string | undefined
  utime: number | undefined
}

/** What pages are read with. */
export interface PageReading<E extends Endpoint, Row> {
  list: TimedList<E, Row>
  calls: PollCalls
  /** Whether a row is left out: the follow was told to go on without it. */
  isLeftOut(this: void, id: string): boolean
  /** Makes what is thrown for a row that is not. */
  refuse(this: void, bad: BadRow): Error
}

/**
 * Reads a page. When a row of it cannot be read and is to be left out, what stands before and behind the row is read on
 * its own.
 * @throws what `refuse` makes of a row that cannot be read and is not to be left out.
 */
export async function readAround<E extends Endpoint, Row>(
  reading: PageReading<E, Row>,
  params: WireParams,
  options: RequestOptions,
): Promise<ResultOf<E>> {
  const { list, calls } = reading
  try {
    // The page's parameters are those of the endpoint, checked.
    return await calls.call(list.endpoint, params as ParametersOf<E>, options)
  } catch (error) {
    const [, name, index] = error instanceof ResponseShapeError ? (ROW.exec(error.path) ?? []) : []
    if (!(error instanceof ResponseShapeError) || name === undefined) throw error
    const bad = { name, index: Number(index), error }
    const body = await leaveOut(reading, bad, { params, options })
    return await readOthers(reading, bad, { params, options, body })
  }
}

interface Asked {
  params: WireParams
  options: RequestOptions
}

interface Found {
  name: string
  index: number
  error: ResponseShapeError
}

/** Looks at the row as it came. @returns the body that holds it alone */
async function leaveOut<E extends Endpoint, Row>(
  { list, calls, isLeftOut, refuse }: PageReading<E, Row>,
  { name, index, error }: Found,
  { params, options }: Asked,
): Promise<Readonly<Record<string, unknown>>> {
  const offset = Number(params['offset'] ?? 0) + index
  const alone = { ...params, limit: 1, offset }
  const { path } = list.endpoint
  // Checked parameters are what a query is written from.
  const query = alone as unknown as Readonly<Record<string, QueryValue | readonly QueryValue[]>>
  const body = await calls.readRaw({ path, params: query }, options)
  const rows: unknown = isObject(body) ? body[name] : undefined
  const row: unknown = Array.isArray(rows) ? rows[0] : undefined
  const known = isObject(row) ? identify(list, row) : { id: undefined, utime: undefined }
  if (!isObject(body) || known.id === undefined || !isLeftOut(known.id)) {
    throw refuse({ error, ...known })
  }
  return body
}

/** The rows before and behind it, as one answer. */
async function readOthers<E extends Endpoint, Row>(
  reading: PageReading<E, Row>,
  { name, index }: Found,
  { params, options, body }: Asked & { body: Readonly<Record<string, unknown>> },
): Promise<ResultOf<E>> {
  const { list } = reading
  const limit = Number(params['limit'])
  const offset = Number(params['offset'] ?? 0)
  const read = async (first: number, count: number): Promise<readonly Row[]> => {
    if (count <= 0) return []
    const part = { ...params, offset: offset + first, limit: count }
    return list.rowsOf(await readAround(reading, part, options))
  }
  const before = await read(0, index)
  const behind = await read(index + 1, limit - index - 1)
  // An answer of the endpoint, as far as its list of rows is looked at.
  return { ...body, [name]: [...before, ...behind] } as ResultOf<E>
}

/** What a row says about itself, although it is not as it should be. */
function identify<E extends Endpoint, Row>(
  { utime: { idOf, axis } }: TimedList<E, Row>,
  raw: Readonly<Record<string, unknown>>,
): { id: string | undefined; utime: number | undefined } {
  const present = Object.entries(raw).filter(([, value]) => value !== null)
  // What is not there, or is none, shows in what is made of it.
  const row = Object.fromEntries(present) as Row
  const utime = Number(axis.keyOf(row))
  const id = idOf(row)
  const isKnown = typeof id === 'string' && id !== '' && !id.includes('undefined')
  return { id: isKnown ? id : undefined, utime: Number.isSafeInteger(utime) ? utime : undefined }
}
