import type { ApiRequest } from './api-server.js'
import { badRequest, MockGatewayError } from './mock-gateway-error.js'

const CREATE = '/api/merchant/v1/create-transfer'
const STATUS = '/api/merchant/v1/transfer'
const METHODS = new Map([
  [CREATE, 'POST'],
  [STATUS, 'GET'],
])

/** The part of the mock gateway that its HTTP API uses. */
export interface Merchant {
  checkKey(apiKey: string | undefined): void
  create(body: string, apiKey: string | undefined): Promise<object>
  statusByReference(reference: string): object
  statusByBodyHash(bodyHash: string): object
}

/**
 * Handles a request to the gateway's API.
 * Source: the gateway's SDK, @ton-pay/api 0.3.2.
 * @throws {MockGatewayError} when the request is refused.
 */
export async function handleMerchant(merchant: Merchant, request: ApiRequest): Promise<object> {
  const { path, query, apiKey } = request
  checkRoute(request)
  merchant.checkKey(apiKey)
  if (path === CREATE) return merchant.create(await request.readBody(), apiKey)

  const reference = query.get('reference')
  const bodyHash = query.get('bodyHash')
  if (reference !== null && bodyHash === null) return merchant.statusByReference(reference)
  if (bodyHash !== null && reference === null) return merchant.statusByBodyHash(bodyHash)
  throw badRequest('give either reference or bodyHash')
}

function checkRoute({ path, method }: ApiRequest): void {
  const expected = METHODS.get(path)
  if (expected === method) return
  if (expected !== undefined) {
    throw new MockGatewayError({ status: 405, message: `${path} takes ${expected}` })
  }
  const isOnRamp = path.includes('moonpay')
  const known = [...METHODS].map(([one, verb]) => `${verb} ${one}`).join(', ')
  throw new MockGatewayError({
    status: isOnRamp ? 501 : 404,
    message: `the mock gateway has no ${path}${isOnRamp ? ', as it sells no coins' : ''}; it has ${known}`,
  })
}
