import { parseAmount } from './amount.js'
import type { FindAsset } from './assets.js'
import { readObject, readText } from './json-fields.js'
import { badRequest } from './mock-gateway-error.js'
import type { NewTransfer } from './transfer.js'

const STRINGS_AND_NUMBERS = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g

/**
 * Reads the body of a create-transfer request. The amount is a JSON number of whole coins; its digits are taken from
 * the JSON text, so that none is lost.
 * Source: the gateway's SDK, @ton-pay/api 0.3.2.
 * @throws {MockGatewayError} when a field is missing or invalid.
 */
export function readCreateRequest(body: string, findAsset: FindAsset): NewTransfer {
  const fields = readObject(body)
  const { asset: name, senderAddr, queryId, amount } = fields
  if (typeof amount !== 'number') {
    throw badRequest('amount is missing or not a number; it is in whole coins, such as 10.5')
  }
  if (typeof name !== 'string') throw badRequest("asset is missing; it is 'TON' or a jetton master")
  if (typeof senderAddr !== 'string') throw badRequest("senderAddr, the buyer's wallet, is missing")
  const asset = findAsset(name)
  const digits = digitsOf(body, amount)
  const rawAmount = parseAmount(digits, asset.decimals)
  if (rawAmount === undefined) {
    throw badRequest(
      `amount is ${digits}; ${asset.ticker} takes a positive number of at most ${asset.decimals} decimals`,
    )
  }
  return {
    rawAmount,
    asset: name,
    senderAddr,
    recipientAddr: readText(fields, 'recipientAddr'),
    queryId: readQueryId(queryId),
    commentToSender: readText(fields, 'commentToSender'),
    commentToRecipient: readText(fields, 'commentToRecipient'),
  }
}

/** Returns the amount's digits as sent; a JavaScript number may lose some. */
function digitsOf(body: string, amount: number): string {
  const quoted = body.replaceAll(STRINGS_AND_NUMBERS, (token) =>
    token.startsWith('"') ? token : `"${token}"`,
  )
  const spelling = readObject(quoted)['amount']
  return typeof spelling === 'string' ? spelling : String(amount)
}

function readQueryId(value: unknown): bigint | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value)
  throw badRequest('queryId is not a whole number that a double can hold')
}
