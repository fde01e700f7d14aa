import { parseBaseUnits } from '../orders/amount.js'
import { isObject } from '../schema/readers.js'
import { WrongField } from './answer.js'

/** A transfer that the gateway has made ready to be signed. */
export interface CreatedTransfer {
  /** Names the transfer in webhooks and in questions about its status; keep it with the order. */
  reference: string
  /** The hash of the message's body, by which the payment is found on chain; keep it with the order too. */
  bodyBase64Hash: string
  /** What the payer's wallet is asked to send. */
  message: {
    address: string
    /** Nanocoins. */
    amount: bigint
    /** A bag of cells in base64. */
    payload: string
  }
}

/** @throws {WrongField} when a field is missing or of another kind. */
export function readCreated(body: Readonly<Record<string, unknown>>): CreatedTransfer {
  const { message } = body
  if (!isObject(message)) throw new WrongField('message', 'an object')
  return {
    reference: textAt('reference', body['reference']),
    bodyBase64Hash: textAt('bodyBase64Hash', body['bodyBase64Hash']),
    message: {
      address: textAt('message.address', message['address']),
      amount: baseUnitsAt('message.amount', message['amount']),
      payload: textAt('message.payload', message['payload']),
    },
  }
}

/** @throws {WrongField} when it is no text, or empty. */
export function textAt(path: string, value: unknown): string {
  if (typeof value === 'string' && value !== '') return value
  throw new WrongField(path, 'a text')
}

/** @throws {WrongField} when it is no amount in base units, whose digits are all there. */
export function baseUnitsAt(path: string, value: unknown): bigint {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value
  const amount = typeof text === 'string' ? parseBaseUnits(text) : undefined
  if (amount === undefined) throw new WrongField(path, 'base units in decimal digits')
  return amount
}
