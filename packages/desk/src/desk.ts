import { createOperator, type Operator } from '@tonplug/core/operator'
import type { DeskAction, Session, TransferPage } from './api.js'
import { checkCsrf, csrfSession } from './csrf.js'
import {
  checkDeskOptions,
  type DeskNodeRequest,
  type DeskOperator,
  type DeskOptions,
} from './options.js'
import { readPages, redirectToFolder, type Pages } from './pages.js'
import { readJson } from './read-json.js'
import { DeskRequestError, respond, respondError, respondJson } from './responses.js'
import { act, ACTION_NAMES, allowedActions, isActionName } from './routes/actions.js'
import { createBooksMonitor, type BooksMonitor } from './routes/books.js'
import { exportBooks } from './routes/export.js'
import { createHealthMonitor, type HealthMonitor } from './routes/health.js'
import { lookUp } from './routes/look-up.js'
import { findOrders, listOrders } from './routes/orders.js'
import { readOverview } from './routes/overview.js'
import { readStory } from './routes/payment.js'
import { createRecentSums, type RecentSums } from './routes/recent-sums.js'
import { createRefundReader, type RefundReader } from './routes/refunds.js'
import { askForRest } from './routes/rest.js'
import { createSignings, type Signings } from './routes/signings.js'
import { suggestOrders } from './routes/suggestions.js'
import { listTransfers } from './routes/transfers.js'
import { createCoins } from './words/coins.js'
import type { Vocabulary } from './words/sentences.js'

/** A dashboard of one Payments. */
export interface Desk {
  /**
   * Responds to a request below any prefix: the last parts of its path choose the page, the file or the data. Never rejects.
   */
  readonly fetch: (request: Request) => Promise<Response>
}

/**
 * Creates a dashboard of payments as a Fetch handler, for Hono, Next.js and other servers; for Express see
 * {@link tonplugDesk}. It is read-only unless `actions` is true.
 * @throws {ConfigurationError} when an option is missing or invalid: above all without `authorize`.
 * @example
 * ```ts
 * import { createPayments, memoryOrderRepository } from '@tonplug/core'
 * import { createDesk } from '@tonplug/desk'
 *
 * const payments = createPayments({ orders: memoryOrderRepository() })
 * const token = process.env.DESK_TOKEN ?? ''
 * const desk = createDesk({
 *   payments,
 *   authorize: ({ headers }) =>
 *     token !== '' && headers.get('authorization') === `Bearer ${token}` && { operator: 'support' },
 * })
 * export const GET = desk.fetch
 * export const POST = desk.fetch
 * ```
 */
export function createDesk(options: DeskOptions): Desk {
  const handle = createHandler(options)
  return { fetch: (request) => handle(request) }
}

/** Responds to a request; `incoming` is for `authorize`. Never rejects. */
export type DeskHandler = (request: Request, incoming?: DeskNodeRequest) => Promise<Response>

/** @throws {ConfigurationError} when an option is missing or invalid. */
export function createHandler(options: DeskOptions): DeskHandler {
  checkDeskOptions(options)
  const { payments, v3, network, jettons } = options
  const operator = createOperator({ payments, v3, network })
  const words = { coins: createCoins(jettons), network }
  const monitor = createHealthMonitor(options)
  const books = createBooksMonitor(options, { operator, words })
  const { logger, clock } = payments.internals
  const refunds = createRefundReader({ operator, clock, logger })
  const signings = createSignings({ operator, inbox: payments.internals.inbox })
  const sums = createRecentSums({ operator, clock })
  const reading = { monitor, books, refunds, signings, sums }
  const parts = { options, operator, words, pages: readPages(), ...reading }
  return async (request, incoming) => {
    try {
      const response = await route(parts, request, incoming)
      return request.method === 'HEAD' ? respondWithoutBody(response) : response
    } catch (error) {
      if (error instanceof DeskRequestError) return respondError(error)
      const name = error instanceof Error ? error.name : typeof error
      logger.error('desk request failed', { name, error })
      return respondError(new DeskRequestError(500, 'FAILED', 'The server failed; see its log.'))
    }
  }
}

interface Parts {
  options: DeskOptions
  operator: Operator
  words: Vocabulary
  pages: Pages
  monitor: HealthMonitor
  books: BooksMonitor
  refunds: RefundReader
  signings: Signings
  sums: RecentSums
}

function respondWithoutBody({ status, headers }: Response): Response {
  return new Response(null, { status, headers })
}

async function route(
  parts: Parts,
  request: Request,
  incoming: DeskNodeRequest | undefined,
): Promise<Response> {
  const visitor = await authorize(parts.options, request, incoming)
  if (visitor === undefined) return respond(403, { body: null })
  const { pathname, searchParams } = new URL(request.url)
  const [folder, name = ''] = pathname.split('/').slice(-2)
  if (request.method === 'POST') {
    if (folder !== 'api') throw notFound()
    if (name === 'books') return compareBooks(parts, request, visitor)
    if (name === 'look-up') return lookUpOnChain(parts, request, visitor)
    if (name === 'signing') return signRefund(parts, request, visitor)
    if (!isActionName(name)) throw notFound()
    return respondJson(await runAction(parts, { request, name, visitor }))
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    const error = new DeskRequestError(405, 'INVALID', 'Use GET or POST.')
    return respondError(error)
  }
  if (folder === 'assets' && name !== '') {
    const asset = parts.pages.asset(name)
    if (asset === undefined) throw notFound()
    return asset
  }
  const answer = folder === 'api' ? READERS[name] : undefined
  if (answer !== undefined) return answer(parts, { request, searchParams, visitor })
  if (name === '') return parts.pages.index(bridgesOf(parts.options))
  return redirectToFolder()
}

/** Returns the origins of the bridges of TON Connect. */
function bridgesOf({ tonConnect }: DeskOptions): string[] {
  return [...new Set(tonConnect?.bridges.map((bridge) => new URL(bridge).origin))]
}

function notFound(): DeskRequestError {
  return new DeskRequestError(404, 'NOT_FOUND', 'There is nothing at this path.')
}

function forbidden(): DeskRequestError {
  return new DeskRequestError(403, 'FORBIDDEN', 'You may not do this on this desk.')
}

/** An authorized operator. */
interface Visitor {
  /** The name of the operator. */
  by: string
  /** The actions that the desk and `authorize` allow. */
  actions: DeskAction[]
}

/** @returns `undefined` when the request is rejected. */
async function authorize(
  options: DeskOptions,
  request: Request,
  incoming: DeskNodeRequest | undefined,
): Promise<Visitor | undefined> {
  const verdict: unknown = await options.authorize(request, incoming)
  if (verdict === false) return undefined
  // Checked below.
  const { operator: by, may }: Partial<Record<keyof DeskOperator, unknown>> =
    typeof verdict === 'object' && verdict !== null ? verdict : {}
  if (typeof by !== 'string' || by === '') {
    throw new TypeError('authorize must return false or { operator } with a name')
  }
  if (may !== undefined && !(Array.isArray(may) && may.every(isActionName))) {
    throw new TypeError(`authorize must return may as a list of ${ACTION_NAMES.join(', ')}`)
  }
  return { by, actions: allowedActions(options, may) }
}

interface Reading {
  request: Request
  searchParams: URLSearchParams
  visitor: Visitor
}

type Reader = (parts: Parts, reading: Reading) => Promise<Response>

const READERS: Partial<Record<string, Reader>> = Object.assign(Object.create(null), {
  session: async ({ options }: Parts, { request, visitor: { by, actions } }: Reading) => {
    const { csrfToken, headers } = csrfSession(request, by)
    const { network, payments, v3, tonConnect } = options
    const session: Session = {
      operator: by,
      mayAct: actions.length > 0,
      csrfToken,
      name: payments.name,
      network,
      actions,
      canLookUp: v3 !== undefined,
      ...(actions.includes('refund') && { tonConnect }),
    }
    return respondJson(session, { headers })
  },
  transfers: async ({ options: { payments }, operator, words }, { searchParams }) => {
    const { orders, logger } = payments.internals
    const [page, found] = await Promise.all([
      listTransfers({ operator, orders, words }, searchParams),
      findOrders({ orders, words, logger }, searchParams),
    ])
    const listed = new Set(page.transfers.map((transfer) => keyOf(transfer)))
    const others = found.orders.filter((order) => !listed.has(keyOf(order)))
    const beside = others.length > 0 && { orders: others }
    const failed = found.haveOrdersFailed && { haveOrdersFailed: true }
    return respondJson({ ...page, ...beside, ...failed } satisfies TransferPage)
  },
  orders: async ({ options: { payments }, words }, { searchParams }) => {
    const { orders } = payments.internals
    return respondJson(await listOrders({ orders, words }, searchParams))
  },
  payment: async ({ options, operator, words, refunds, signings }, { searchParams, visitor }) => {
    const { orders } = options.payments.internals
    const maySign = visitor.actions.includes('refund')
    const sources = { operator, orders, words, refunds, signings, maySign }
    return respondJson(await readStory(sources, searchParams))
  },
  suggestions: async ({ options, operator, words }, { searchParams }) => {
    const { orders } = options.payments.internals
    return respondJson(await suggestOrders({ operator, orders, words }, searchParams))
  },
  rest: async ({ options, words }, { searchParams }) =>
    respondJson(await askForRest(options, words, searchParams)),
  export: async ({ operator, options, words: { coins } }, { searchParams }) => {
    const { logger } = options.payments.internals
    return exportBooks({ operator, coins, logger }, searchParams)
  },
  overview: async ({ options, operator, words, sums }, { searchParams }) => {
    const { payments, watcher } = options
    const sources = { payments, watcher, operator, words, sums }
    return respondJson(await readOverview(sources, searchParams))
  },
  books: async ({ books }) => respondJson(books.read()),
  health: async ({ monitor }) => respondJson(await monitor.read()),
} satisfies Record<string, Reader>)

function keyOf({ merchant, reference }: { merchant: string; reference: string }): string {
  return JSON.stringify([merchant, reference])
}

/** Begins to compare the ledger with the chain. It changes no payment, so every operator may. */
function compareBooks({ books }: Parts, request: Request, { by }: Visitor): Response {
  checkCsrf(request, by)
  books.start()
  return respondJson(books.read())
}

/** Looks for a transaction on the chain. It changes nothing, so every operator may. */
async function lookUpOnChain(
  { options, operator, words }: Parts,
  request: Request,
  { by }: Visitor,
): Promise<Response> {
  checkCsrf(request, by)
  const { wallets = [], logger } = options.payments.internals
  const sources = { operator, v3: options.v3, wallets, words, logger }
  return respondJson(await lookUp(sources, (await readJson(request))['hash']))
}

/** Begins or ends a signing of a refund. */
async function signRefund(
  { signings }: Parts,
  request: Request,
  { by, actions }: Visitor,
): Promise<Response> {
  if (!actions.includes('refund')) throw forbidden()
  checkCsrf(request, by)
  const { reportId, id } = await readJson(request)
  if (typeof reportId !== 'string' || (id !== undefined && typeof id !== 'string')) {
    throw new DeskRequestError(400, 'INVALID', 'reportId and id must be strings.')
  }
  const result =
    id === undefined ? signings.begin(reportId, by) : signings.end(reportId, { id, by })
  return respondJson(await result)
}

async function runAction(
  { options, operator }: Parts,
  { request, name, visitor: { by, actions } }: { request: Request; name: string; visitor: Visitor },
): Promise<unknown> {
  const action = actions.find((allowed) => allowed === name)
  if (action === undefined) throw forbidden()
  checkCsrf(request, by)
  return act(action, { options, operator }, { body: await readJson(request), by })
}
