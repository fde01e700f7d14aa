import type { ApiRequest } from './api-server.js'
import { readCreateRequest } from './create-request.js'
import { badRequest, MockGatewayError } from './mock-gateway-error.js'
import { createTransferLater, type TransferService } from './transfer-service.js'

const CREATE = '/api/merchant/v1/create-transfer'
const STATUS = '/api/merchant/v1/transfer'
const METHODS = new Map([
  [CREATE, 'POST'],
  [STATUS, 'GET'],
])

/** The transfers and the API key of a merchant. */
export interface Merchant {
  service: TransferService
  /** Without it every request counts as the merchant's. */
  apiKey: string | undefined
}

/**
 * Handles a request to the gateway's API.
 * Source: the gateway's SDK, @ton-pay/api 0.3.2.
 * @throws {MockGatewayError} when the request is refused.
 */
export async function handleMerchant(
  { service, apiKey }: Merchant,
  request: ApiRequest,
): Promise<object> {
  const { path, query } = request
  checkRoute(request)
  const isMerchants = apiKey === undefined || request.apiKey === apiKey
  if (request.apiKey !== undefined && !isMerchants) {
    throw new MockGatewayError({ status: 401, message: "the x-api-key is not the merchant's" })
  }
  if (path === CREATE) {
    const transfer = readCreateRequest(await request.readBody(), service.findAsset)
    return createTransferLater(service, transfer, isMerchants)
  }

  const { store } = service
  const reference = query.get('reference')
  const bodyHash = query.get('bodyHash')
  if (reference !== null && bodyHash === null) return store.byReference(reference).status
  if (bodyHash !== null && reference === null) return store.byBodyHash(bodyHash).status
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
