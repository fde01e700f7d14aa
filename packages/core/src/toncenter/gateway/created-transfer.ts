import { isObject } from '../../shared/is-object.js'
import { baseUnitsAt, stringAt, WrongField, type Body } from './classify-response.js'

/** A transfer that the gateway has prepared for signing. */
export interface CreatedTransfer {
  /** Identifies the transfer in webhooks and status requests; store it with the order. */
  reference: string
  /** The hash of the message body, which identifies the payment on chain; store it with the order. */
  bodyBase64Hash: string
  /** The message for the payer's wallet. */
  message: {
    address: string
    /** Nanocoins. */
    amount: bigint
    /** A bag of cells in base64. */
    payload: string
  }
}

/** @throws {WrongField} for a missing or malformed field. */
export function readCreated(body: Body): CreatedTransfer {
  const { message } = body
  if (!isObject(message)) throw new WrongField('message', 'an object')
  return {
    reference: stringAt('reference', body['reference']),
    bodyBase64Hash: stringAt('bodyBase64Hash', body['bodyBase64Hash']),
    message: {
      address: stringAt('message.address', message['address']),
      amount: baseUnitsAt('message.amount', message['amount']),
      payload: stringAt('message.payload', message['payload']),
    },
  }
}
