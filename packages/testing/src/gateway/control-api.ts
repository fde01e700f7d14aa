import type { ApiRequest } from './api-server.js'
import type { DeliveryReport } from './dispatcher.js'
import { readObject, readText } from './json-fields.js'
import { badRequest, GatewayStandInError } from './stand-in-error.js'
import type { CreatedTransfer, NewTransfer, SimulatedPayment } from './transfer.js'

const ROOT = '/stand-in/'
const TRANSFERS = `${ROOT}transfers`
const OUTCOME = /^\/stand-in\/transfers\/([^/]+)\/(pay|fail)$/

/** What can be made to happen from another process. */
export interface Control {
  createTransfer(transfer: NewTransfer): Promise<CreatedTransfer>
  pay(reference: string, payment: SimulatedPayment): Promise<DeliveryReport>
  fail(reference: string, failure: Pick<SimulatedPayment, 'txHash'>): Promise<DeliveryReport>
}

/** Whether the path is one that the gateway does not have. */
export function isControl({ path }: ApiRequest): boolean {
  return path.startsWith(ROOT)
}

/**
 * Answers `POST /stand-in/transfers`, and `/pay` and `/fail` below a transfer, whose amounts are base units as text.
 * @throws {GatewayStandInError} when it is refused.
 */
export async function answerControl(control: Control, request: ApiRequest): Promise<object> {
  const { path, method, contentType = '' } = request
  const [, encoded, outcome] = OUTCOME.exec(path) ?? []
  if (path !== TRANSFERS && encoded === undefined) {
    throw new GatewayStandInError({ status: 404, message: `the stand-in has no ${path}` })
  }
  if (method !== 'POST') {
    throw new GatewayStandInError({ status: 405, message: `${path} takes POST` })
  }
  // Pages of the web cannot send this type to another origin without being asked first.
  if (!/^application\/json\b/i.test(contentType)) {
    throw new GatewayStandInError({ status: 415, message: 'send application/json' })
  }
  const fields = readObject(await request.readBody())
  if (encoded === undefined) return control.createTransfer(readTransfer(fields))
  const reference = decode(encoded)
  const txHash = readText(fields, 'txHash')
  if (outcome === 'fail') return toJson(await control.fail(reference, { txHash }))
  const [rawAmount, asset] = [readRawAmount(fields), readText(fields, 'asset')]
  return toJson(await control.pay(reference, { rawAmount, asset, txHash }))
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
  throw badRequest('rawAmount is not a text of decimal digits')
}

function decode(reference: string): string {
  try {
    return decodeURIComponent(reference)
  } catch {
    throw badRequest('the reference is not encoded for a path')
  }
}

/** An error has no JSON of its own. */
function toJson({ isDelivered, attempts }: DeliveryReport): object {
  return {
    isDelivered,
    attempts: attempts.map(({ error, ...attempt }) =>
      error === undefined ? attempt : { ...attempt, error: explain(error) },
    ),
  }
}

/** That of `fetch` says what happened in its cause alone. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return 'no answer'
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}
