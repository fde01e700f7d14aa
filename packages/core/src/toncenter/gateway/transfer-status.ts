import { baseUnitsAt, stringAt, type Body } from './classify-response.js'

/** State of a transfer. `unknown` is a status that this version does not know: the transfer is not paid, and may still be. */
export type TransferState = 'pending' | 'success' | 'failed' | 'unknown'

/** The gateway's data about a transfer. Before its completion, most fields may be missing. */
export interface TransferStatus {
  reference: string
  state: TransferState
  /** The state as sent by the gateway. */
  status: string
  /** In base units. */
  rawAmount?: bigint | undefined
  /** In whole coins, as sent. */
  amount?: string | undefined
  senderAddr?: string | undefined
  recipientAddr?: string | undefined
  /** `'TON'` or a jetton master, as sent. */
  asset?: string | undefined
  assetTicker?: string | undefined
  bodyBase64Hash?: string | undefined
  txHash?: string | undefined
  traceId?: string | undefined
  commentToSender?: string | undefined
  commentToRecipient?: string | undefined
  /** ISO 8601, as sent. */
  date?: string | undefined
  /** A code of the gateway, which publishes no list of them. */
  errorCode?: number | undefined
  errorMessage?: string | undefined
}

/** Webhooks, the documentation and the SDK of the gateway use different words. */
const STATES: Readonly<Record<string, TransferState>> = {
  pending: 'pending',
  success: 'success',
  failed: 'failed',
  error: 'failed',
}

/** @throws {Mismatch} without a reference or a status, and for a malformed amount. */
export function readStatus(body: Body): TransferStatus {
  const status = stringAt('status', body['status'])
  const { rawAmount, errorCode } = body
  return {
    reference: stringAt('reference', body['reference']),
    state: Object.hasOwn(STATES, status) ? (STATES[status] ?? 'unknown') : 'unknown',
    status,
    // An absent amount may be null or empty.
    rawAmount: (rawAmount ?? '') === '' ? undefined : baseUnitsAt('rawAmount', rawAmount),
    amount: optionalString('amount', body),
    senderAddr: optionalString('senderAddr', body),
    recipientAddr: optionalString('recipientAddr', body),
    asset: optionalString('asset', body),
    assetTicker: optionalString('assetTicker', body),
    bodyBase64Hash: optionalString('bodyBase64Hash', body),
    txHash: optionalString('txHash', body),
    traceId: optionalString('traceId', body),
    commentToSender: optionalString('commentToSender', body),
    commentToRecipient: optionalString('commentToRecipient', body),
    date: optionalString('date', body),
    errorCode: typeof errorCode === 'number' ? errorCode : undefined,
    errorMessage: optionalString('errorMessage', body),
  }
}

/** Descriptive fields of another type count as absent: a comment must not hide a payment. */
function optionalString(name: string, body: Body): string | undefined {
  const value = body[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}
