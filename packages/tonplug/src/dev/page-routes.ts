import type { JsonFields } from './json-fields.js'
import type { PageApi } from './page-api.js'
import { PageRequestError } from './page-request-error.js'

/** A request below `/api/`. */
export interface RoutedRequest {
  method: string | undefined
  /** The decoded parts of the path after `/api/`. */
  path: readonly string[]
  /** Reads the fields of the body. */
  body: () => Promise<JsonFields>
}

/** A response in JSON. */
export interface RoutedResponse {
  status: number
  body: object
}

/** Responds to a request. @throws {PageRequestError} when it is refused. */
export async function routeRequest(
  { chain, gateway }: PageApi,
  request: RoutedRequest,
): Promise<RoutedResponse> {
  const [kind, id, action] = request.path
  const response =
    (gateway && (await routeGateway(gateway, request, { kind, id, action }))) ??
    (chain && (await routeChain(chain, request, { kind, id, action })))
  if (response !== undefined) return response
  throw new PageRequestError(404, 'This path does not exist.')
}

type Parts = Record<'kind' | 'id' | 'action', string | undefined>

async function routeGateway(
  gateway: NonNullable<PageApi['gateway']>,
  request: RoutedRequest,
  { kind, id, action }: Parts,
): Promise<RoutedResponse | undefined> {
  if (kind === 'attempts' && action === undefined) {
    checkMethod(request, 'GET')
    const attempt = gateway.attempt(Number(id))
    if (attempt === undefined) throw new PageRequestError(404, 'This delivery was deleted.')
    return { status: 200, body: attempt }
  }
  if (kind !== 'transfers') return undefined
  if (id === undefined) {
    checkMethod(request, 'POST')
    return { status: 201, body: gateway.create(await request.body()) }
  }
  if (action === undefined) return undefined
  checkMethod(request, 'POST')
  gateway.begin(id, action, await request.body())
  return { status: 202, body: {} }
}

async function routeChain(
  chain: NonNullable<PageApi['chain']>,
  request: RoutedRequest,
  { kind, id, action }: Parts,
): Promise<RoutedResponse | undefined> {
  const route = [kind, id === undefined ? undefined : ':id', action].filter(Boolean).join('/')
  switch (route) {
    case 'orders':
      checkMethod(request, 'POST')
      return { status: 201, body: chain.open(await request.body()) }
    case 'orders/:id/pay':
      checkMethod(request, 'POST')
      await chain.pay(id ?? '', await request.body())
      return { status: 200, body: {} }
    case 'decisions':
      checkMethod(request, 'POST')
      chain.decided(await request.body())
      return { status: 200, body: {} }
    case 'faucet':
      checkMethod(request, 'POST')
      await chain.fund(await request.body())
      return { status: 200, body: {} }
    case 'time':
      checkMethod(request, 'POST')
      await chain.moveOn(await request.body())
      return { status: 200, body: {} }
    default:
      return undefined
  }
}

/** @throws {PageRequestError} with status 405. */
export function checkMethod(
  { method }: { method?: string | undefined },
  expected: 'GET' | 'POST',
): void {
  if (method !== expected) throw new PageRequestError(405, `This takes ${expected}.`)
}
