import { isObject } from '../../shared/is-object.js'
import { anyOption, checkOptions, type OptionShape } from '../schema/options.js'
import { optionalParam } from '../schema/param.js'
import { boolParam, intParam } from '../schema/params.js'
import { requestOptions, type RequestOptions } from '../transport/call-options.js'
import { loopsOver, type Loops } from './cancelable-loop.js'
import { readCursor, type Cursor, type Position, type Progress } from './cursor.js'
import { invalidOption } from './errors.js'
import {
  createPageSource,
  type LearnedPageSize,
  type Page,
  type PageSizes,
  type PageSource,
  type ReadPage,
} from './pages.js'

/** Options of a paginator. Options of a request apply to each of its requests; `signal` also ends the loop. */
export interface PaginateOptions extends RequestOptions {
  /**
   * Rows per request, at most 1000, or 10 000 for a block of API v2. A server that accepts only 100 is asked for 100 from
   * then on. Larger pages take the server longer: see `timeoutMs`.
   * @default 100; 256 for the transactions of a block of API v2
   */
  pageSize?: number | undefined
  /** Requests the next page while the current one is used; keeps two pages in memory. @default false */
  prefetch?: boolean | undefined
  /** Continues from `cursor()` of an earlier paginator with the same parameters. */
  cursor?: Cursor | undefined
}

/**
 * Iterates over all items of a list with one page in memory. A new loop continues where the previous one was left. Only one
 * loop may run at a time.
 */
export interface Paginator<Item> extends AsyncIterable<Item> {
  /** Iterates over the pages. None of them is empty. */
  pages(): AsyncIterable<Item[]>
  /**
   * Returns the position after everything that was delivered, including the item or page that the loop is processing.
   * Store it when that item or page has been processed.
   */
  cursor(): Cursor
}

/**
 * Iterates over everything that an endpoint lists and requests pages as needed. The parameters may be left out if none is
 * required.
 * @throws {ConfigurationError} at once for an unknown or invalid option.
 * @throws {InvalidParamsError} at once for an invalid cursor. The loop throws the errors of its requests.
 */
export type Paginate<Params, Item> =
  Record<never, never> extends Params
    ? (params?: Params, options?: PaginateOptions) => Paginator<Item>
    : (params: Params, options?: PaginateOptions) => Paginator<Item>

/** Rules of the pages of an endpoint. */
export interface PagedList<Params, Item, At extends Position> {
  endpoint: string
  sizes: PageSizes
  /** Returns the digest of parameters for cursors; `undefined` for invalid ones. */
  digestOf(params: Params): string | undefined
  /** Reads a stored position; `undefined` for an invalid one. */
  parse(position: Position): At | undefined
  /** Opens the list for one paginator. @param isResumed `true` if it continues from a cursor */
  open(params: Params, isResumed: boolean): ReadPage<Item, At>
}

/** Creates the `paginate` of an endpoint. */
export function createPaginate<Params, Item, At extends Position>(
  list: PagedList<Params, Item, At>,
): Paginate<Params, Item> {
  const { endpoint, sizes } = list
  const learned: LearnedPageSize = { max: sizes.max }
  const paginateOptions: OptionShape<PaginateOptions> = {
    ...requestOptions,
    pageSize: optionalParam(intParam(sizes.min, sizes.max)),
    prefetch: optionalParam(boolParam),
    cursor: anyOption,
  }
  const paginate = (given?: Params, options: PaginateOptions = {}): Paginator<Item> => {
    // The check of the first page reports missing parameters.
    const params = given ?? ({} as Params)
    checkOptions(paginateOptions, options)
    if (isObject(params) && sizes.parameter in params) {
      const problem = 'is not a parameter of paginate(); use the option pageSize'
      throw invalidOption(endpoint, sizes.parameter, problem)
    }
    const { pageSize = sizes.default, cursor, ...loop } = options
    const filter = list.digestOf(params)
    const start = readCursor({ endpoint, filter }, cursor, (at) => list.parse(at))
    const read = list.open(params, start.position !== undefined)
    const source = createPageSource({ endpoint, sizes, pageSize, learned }, read)
    const { progress, ...loops } = readPages(source, start, loop)
    return {
      ...loops,
      cursor() {
        const { position, isDone } = progress()
        return { endpoint, position: position ?? null, isDone, filter }
      },
    }
  }
  // The compiler cannot know here if a parameter is required.
  return paginate as Paginate<Params, Item>
}

/** Creates the loops over the pages of `source`. Nothing is requested before one of them starts. */
function readPages<Item, At extends Position>(
  source: PageSource<Item, At>,
  start: Progress<At>,
  { prefetch = false, signal: outer, ...request }: Omit<PaginateOptions, 'pageSize' | 'cursor'>,
): Loops<Item> & { progress: () => Progress<At> } {
  let progress = (): Progress<At> => start

  const record = ({ items, isLast, after }: Page<Item, At>, count: number): void => {
    progress = () => ({ position: after(count), isDone: isLast && count === items.length })
  }

  /** Reads page after page until the signal is aborted, which also ends a prefetched request. */
  async function* read(signal: AbortSignal): AsyncGenerator<Page<Item, At>, void, undefined> {
    let { position, isDone } = progress()
    let ahead: Promise<Page<Item, At>> | undefined
    while (!isDone) {
      const page = await (ahead ?? source(position, { ...request, signal }))
      position = page.after(page.items.length)
      isDone = page.isLast
      ahead = prefetch && !isDone ? source(position, { ...request, signal }) : undefined
      // Its failure is thrown when the page is needed.
      ahead?.catch(() => undefined)
      if (page.items.length > 0) yield page
      else record(page, 0)
    }
  }

  const deliver = (item: Item, index: number, page: Page<Item, At>): Item => {
    record(page, index + 1)
    return item
  }
  return { ...loopsOver(read, deliver, outer), progress: () => progress() }
}
