import {
  AddressError,
  addressFlags,
  canonicalAddress,
  friendlyAddress,
} from '../../shared/address.js'
import { canonicalAsset, NATIVE_ASSET } from '../../shared/asset.js'
import { toStandardBase64 } from '../../shared/base64.js'
import type { Clock } from '../../shared/clock.js'
import { ConfigurationError } from '../../shared/configuration-error.js'
import { toInvoice, type Invoice } from '../../shared/invoice.js'
import { isObject } from '../../shared/is-object.js'
import type { PayerMessage } from '../../shared/ton-connect-request.js'
import { undefinedOn } from '../../shared/undefined-on.js'
import { formatUnits } from '../../shared/units.js'
import { refuse } from '../schema/mismatch.js'
import type { Network } from '../transport/servers.js'
import { baseUnitsAt, stringAt, type Body } from './classify-response.js'
import { decimalsOf, type NewTransfer } from './new-transfer.js'

/** The gateway's response to a new transfer. */
export interface CreatedFields {
  /** Identifies the transfer in webhooks and status requests. */
  reference: string
  /** The hash of the message body, which identifies the payment on chain. */
  bodyBase64Hash: string
  /** The message for the wallet of `senderAddr`, as sent: `amount` is nanocoins in decimal digits. */
  message: PayerMessage
}

/**
 * A transfer that the gateway has prepared for signing, as an invoice of `createInvoice`: store `order` with your order.
 * Only the wallet of `senderAddr` can pay it.
 */
export interface CreatedTransfer extends CreatedFields, Invoice {}

/** @throws {Mismatch} for a missing or malformed field. */
export function readCreated(body: Body): CreatedFields {
  const { message } = body
  if (!isObject(message)) return refuse('an object', message, ['message'])
  return {
    reference: stringAt('reference', body['reference']),
    bodyBase64Hash: stringAt('bodyBase64Hash', body['bodyBase64Hash']),
    message: {
      address: addressAt('message.address', message['address']),
      amount: `${baseUnitsAt('message.amount', message['amount'])}`,
      payload: stringAt('message.payload', message['payload']),
    },
  }
}

/** Completes the gateway's response. @param transfer the requested transfer, valid */
export function toCreatedTransfer(
  created: CreatedFields,
  transfer: NewTransfer,
  { network, clock }: { network: Network | undefined; clock: Clock },
): CreatedTransfer {
  const { reference, bodyBase64Hash } = created
  const { rawAmount, senderAddr, recipientAddr: recipient } = transfer
  const asset = canonicalAsset(transfer.asset)
  const payer = canonicalAddress(senderAddr)
  const { address, amount, payload } = created.message
  // A jetton wallet returns a message that it cannot process. A raw recipient is a wallet, perhaps not deployed.
  const flags = addressFlags(address) ?? {
    isBounceable: asset !== NATIVE_ASSET,
    isTestOnly: network === 'testnet',
  }
  const message = {
    address: friendlyAddress(address, flags),
    amount,
    payload: toStandardBase64(payload),
  }
  const createdAt = new Date(clock.nowMs())
  const invoice = toInvoice({
    order: { reference, rawAmount, asset, status: 'pending', recipient, bodyBase64Hash, createdAt },
    amount: formatUnits(rawAmount, decimalsOf(transfer) ?? 0),
    transfer: { address: message.address, amount, bin: message.payload },
    reference,
    network,
    clock,
    from: payer,
    // The gateway has built the message, also that to the payer's jetton wallet.
    itemOf(options) {
      refuseDestination(options)
      return { type: 'ton', ...message }
    },
    messageOf({ sender, ...options }) {
      refuseDestination(options)
      if (sender === payer) return message
      const problem = `must be the wallet that the transfer was created for, ${payer}; received ${sender}`
      throw new ConfigurationError({ option: 'sender', problem })
    },
  })
  return { ...created, ...invoice }
}

/** @throws {ConfigurationError} for an option that would change the message of the gateway. */
function refuseDestination({ responseDestination }: { responseDestination?: string | undefined }) {
  if (responseDestination === undefined) return
  const problem = 'must be omitted: the gateway has prepared the message'
  throw new ConfigurationError({ option: 'responseDestination', problem })
}

function addressAt(path: string, value: unknown): string {
  const text = stringAt(path, value)
  const address = undefinedOn(AddressError, () => canonicalAddress(text))
  return address === undefined ? refuse('a TON address', value, [path]) : text
}
