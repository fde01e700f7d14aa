import { baseUnitsAt, textAt } from './created-transfer.js'

/**
 * How a transfer stands. `unknown` is a word that this version does not know: it is not paid, and may still be.
 */
export type TransferState = 'pending' | 'success' | 'failed' | 'unknown'

/** What the gateway knows of a transfer. Before its completion most of it may be missing. */
export interface TransferStatus {
  reference: string
  state: TransferState
  /** The gateway's own word for the state. */
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
  /** The gateway's own number; there is no published list. */
  errorCode?: number | undefined
  errorMessage?: string | undefined
}

/** The gateway's words differ by where they come from: webhooks, descriptions and the SDK have different ones. */
const STATES: Readonly<Record<string, TransferState>> = {
  pending: 'pending',
  success: 'success',
  failed: 'failed',
  error: 'failed',
}

/** @throws {WrongField} when it does not say which transfer it is about and how that stands, or an amount is none. */
export function readStatus(body: Readonly<Record<string, unknown>>): TransferStatus {
  const status = textAt('status', body['status'])
  const { rawAmount, errorCode } = body
  return {
    reference: textAt('reference', body['reference']),
    state: Object.hasOwn(STATES, status) ? (STATES[status] ?? 'unknown') : 'unknown',
    status,
    rawAmount: isAbsent(rawAmount) ? undefined : baseUnitsAt('rawAmount', rawAmount),
    amount: optionalText('amount', body),
    senderAddr: optionalText('senderAddr', body),
    recipientAddr: optionalText('recipientAddr', body),
    asset: optionalText('asset', body),
    assetTicker: optionalText('assetTicker', body),
    bodyBase64Hash: optionalText('bodyBase64Hash', body),
    txHash: optionalText('txHash', body),
    traceId: optionalText('traceId', body),
    commentToSender: optionalText('commentToSender', body),
    commentToRecipient: optionalText('commentToRecipient', body),
    date: optionalText('date', body),
    errorCode: typeof errorCode === 'number' ? errorCode : undefined,
    errorMessage: optionalText('errorMessage', body),
  }
}

/** Descriptive fields count as absent when they are no texts: a payment is not lost over a comment. */
function optionalText(name: string, body: Readonly<Record<string, unknown>>): string | undefined {
  const value = body[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}
