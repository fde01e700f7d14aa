import type { Session } from './api.js'
import { checkCsrf, csrfSession } from './csrf.js'
import { checkDeskOptions, type DeskNodeRequest, type DeskOptions } from './options.js'
import { readPages, redirectToFolder, type Pages } from './pages.js'
import { readJson } from './read-json.js'
import { DeskRequestError, respond, respondError, respondJson } from './responses.js'
import { act, allowedActions, isAction } from './routes/actions.js'
import { createHealthMonitor, type HealthMonitor } from './routes/health.js'
import { readStory } from './routes/payment.js'
import { listTransfers } from './routes/transfers.js'

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
  const parts = { options, pages: readPages(), monitor: createHealthMonitor(options) }
  const { logger } = options.payments
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
  pages: Pages
  monitor: HealthMonitor
}

function respondWithoutBody({ status, headers }: Response): Response {
  return new Response(null, { status, headers })
}

async function route(
  parts: Parts,
  request: Request,
  incoming: DeskNodeRequest | undefined,
): Promise<Response> {
  const operator = await authorize(parts.options, request, incoming)
  if (operator === undefined) return respond(403, { body: null })
  const { pathname, searchParams } = new URL(request.url)
  const [folder, name = ''] = pathname.split('/').slice(-2)
  if (request.method === 'POST') {
    if (folder !== 'api' || !isAction(name)) throw notFound()
    return respondJson(await runAction(parts.options, { request, name, operator }))
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
  if (answer !== undefined) return answer(parts, { request, searchParams, operator })
  if (name === '') return parts.pages.index()
  return redirectToFolder()
}

function notFound(): DeskRequestError {
  return new DeskRequestError(404, 'NOT_FOUND', 'There is nothing at this path.')
}

/** @returns the name of the operator; `undefined` when the request is rejected. */
async function authorize(
  { authorize: decide }: DeskOptions,
  request: Request,
  incoming: DeskNodeRequest | undefined,
): Promise<string | undefined> {
  const verdict: unknown = await decide(request, incoming)
  if (verdict === false) return undefined
  const operator: unknown =
    typeof verdict === 'object' && verdict !== null ? Reflect.get(verdict, 'operator') : undefined
  if (typeof operator === 'string' && operator !== '') return operator
  throw new TypeError('authorize must return false or { operator } with a name')
}

interface Reading {
  request: Request
  searchParams: URLSearchParams
  operator: string
}

type Reader = (parts: Parts, reading: Reading) => Promise<Response>

const READERS: Partial<Record<string, Reader>> = Object.assign(Object.create(null), {
  session: async ({ options }: Parts, { request, operator }: Reading) => {
    const { csrfToken, headers } = csrfSession(request, operator)
    const actions = allowedActions(options)
    const { network, payments } = options
    const { name } = payments
    const mayAct = actions.length > 0
    const session: Session = { operator, mayAct, csrfToken, name, network, actions }
    return respondJson(session, { headers })
  },
  transfers: async ({ options }, { searchParams }) =>
    respondJson(await listTransfers(options.payments, searchParams)),
  payment: async ({ options }, { searchParams }) =>
    respondJson(await readStory(options.payments, searchParams)),
  health: async ({ monitor }) => respondJson(await monitor.read()),
} satisfies Record<string, Reader>)

async function runAction(
  options: DeskOptions,
  { request, name, operator }: { request: Request; name: string; operator: string },
): Promise<unknown> {
  const action = allowedActions(options).find((allowed) => allowed === name)
  if (action === undefined) {
    throw new DeskRequestError(403, 'FORBIDDEN', 'This desk does not allow the action.')
  }
  checkCsrf(request, operator)
  return act(action, options, { body: await readJson(request), by: operator })
}
