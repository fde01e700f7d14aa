import type { ApiRequest } from './api-server.js'
import type { DeliveryReport } from './dispatcher.js'
import { readObject, readText } from './json-fields.js'
import { badRequest, MockGatewayError } from './mock-gateway-error.js'
import { type GatewayParts, simulateFailure, simulatePayment } from './simulate-payment.js'
import { createTransferLater } from './transfer-service.js'
import type { NewTransfer } from './transfer.js'

const ROOT = '/mock-gateway/'
const TRANSFERS = `${ROOT}transfers`
const OUTCOME = /^\/mock-gateway\/transfers\/([^/]+)\/(pay|fail)$/

/** Returns true for a path that the real gateway does not have. */
export function isControl({ path }: ApiRequest): boolean {
  return path.startsWith(ROOT)
}

/**
 * Handles `POST /mock-gateway/transfers`, and `/pay` and `/fail` below a transfer. Amounts are base units in decimal strings.
 * @throws {MockGatewayError} when the request is refused.
 */
export async function handleControl(parts: GatewayParts, request: ApiRequest): Promise<object> {
  const { path, method, contentType = '' } = request
  const [, encoded, outcome] = OUTCOME.exec(path) ?? []
  if (path !== TRANSFERS && encoded === undefined) {
    throw new MockGatewayError({ status: 404, message: `the mock gateway has no ${path}` })
  }
  if (method !== 'POST') {
    throw new MockGatewayError({ status: 405, message: `${path} takes POST` })
  }
  // Web pages cannot send this type to another origin without a preflight request.
  if (!/^application\/json\b/i.test(contentType)) {
    throw new MockGatewayError({ status: 415, message: 'send application/json' })
  }
  const fields = readObject(await request.readBody())
  if (encoded === undefined) return createTransferLater(parts.service, readTransfer(fields), true)
  const reference = decode(encoded)
  const txHash = readText(fields, 'txHash')
  if (outcome === 'fail') return toJson(await simulateFailure(parts, reference, { txHash }))
  const [rawAmount, asset] = [readRawAmount(fields), readText(fields, 'asset')]
  return toJson(await simulatePayment(parts, reference, { rawAmount, asset, txHash }))
}

function readTransfer(fields: Record<string, unknown>): NewTransfer {
  const rawAmount = readRawAmount(fields)
  if (rawAmount === undefined) throw badRequest('rawAmount is missing')
  return {
    rawAmount,
    reference: readText(fields, 'reference'),
    asset: readText(fields, 'asset'),
    senderAddr: readText(fields, 'senderAddr'),
    recipientAddr: readText(fields, 'recipientAddr'),
    commentToSender: readText(fields, 'commentToSender'),
    commentToRecipient: readText(fields, 'commentToRecipient'),
  }
}

function readRawAmount(fields: Record<string, unknown>): bigint | undefined {
  const text = readText(fields, 'rawAmount')
  if (text === undefined) return undefined
  if (/^\d{1,40}$/.test(text)) return BigInt(text)
  throw badRequest('rawAmount must be a string of decimal digits')
}

function decode(reference: string): string {
  try {
    return decodeURIComponent(reference)
  } catch {
    throw badRequest('the reference is not encoded for a path')
  }
}

/** Converts an error to JSON. */
function toJson({ isDelivered, attempts }: DeliveryReport): object {
  return {
    isDelivered,
    attempts: attempts.map(({ error, ...attempt }) =>
      error === undefined ? attempt : { ...attempt, error: explain(error) },
    ),
  }
}

/** Returns the message of an error; `fetch` states the reason in the cause only. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return 'no response'
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}
