import { createHash } from 'node:crypto'
import { formatUnits, type TransferData, type WebhookPayload } from '@tonplug/core'
import { parseAmount } from './gateway/amount.js'
import { decimalsOf } from './gateway/assets.js'

const TIMESTAMP = '2026-01-05T12:00:00.000Z'

const success: TransferData = {
  amount: '10.5',
  rawAmount: '10500000000',
  senderAddr: 'UQAoSO8hREBdJiq5-AyDPcct9hqfiVdKBHPJd1i8NQnknODe',
  recipientAddr: 'UQApAdacOHpJfIJ01ztI2pzn9rjZHCGcvQwGSOjgAm3E5VkV',
  asset: 'TON',
  assetTicker: 'TON',
  status: 'success',
  reference: 'order-1',
  bodyBase64Hash: 'FMr5gQtLwKb+4WypT58JL7EUtaLGDISZzXQuRUvYGlw=',
  txHash: 'c545e5d64ab501227e147f142fdc16b4aba7701ae439252858b95245a00f9e1f',
  traceId: 'ec6559728ae113d6075229fc570c00e4e4f56c2709e2aeff9d05cb267fa6b1af',
  commentToSender: 'Order 1',
  commentToRecipient: 'Order 1',
  date: TIMESTAMP,
}

/**
 * Returns a `transfer.completed` payload of a successful transfer: 10.5 TON for order `order-1`, with every
 * documented field. Each call returns the same values; another `reference` has another `txHash`.
 * Source: webhook description, part 2.
 * @param overrides fields of `data` to change. For a second payment of an order, set `txHash`. Of `amount` and `rawAmount`
 * one is enough: the other one is computed, with six decimals for USDT and nine for other assets. Pass both if they must
 * differ.
 */
export function transferCompleted(
  overrides: Partial<TransferData> = {},
): Extract<WebhookPayload, { event: 'transfer.completed' }> {
  return {
    event: 'transfer.completed',
    timestamp: TIMESTAMP,
    data: { ...success, ...hashOf(overrides), ...overrides, ...otherAmount(overrides) },
  }
}

/** One transaction pays one order, so each reference has its own. */
function hashOf({ reference = success.reference }: Partial<TransferData>): Partial<TransferData> {
  if (reference === success.reference) return {}
  return { txHash: createHash('sha256').update(reference).digest('hex') }
}

/** Returns the missing one of the two amounts; nothing if the given one is invalid. */
function otherAmount({
  amount,
  rawAmount,
  asset = success.asset,
}: Partial<TransferData>): Partial<TransferData> {
  const decimals = decimalsOf(asset)
  if (amount === undefined && rawAmount !== undefined && /^\d+$/.test(rawAmount)) {
    return { amount: formatUnits(BigInt(rawAmount), decimals) }
  }
  const units = rawAmount === undefined ? parseAmount(amount ?? '', decimals) : undefined
  return units === undefined ? {} : { rawAmount: units.toString() }
}

/**
 * Returns a `transfer.completed` payload of a transfer that failed, with `errorCode` 36 and its message.
 * @param overrides fields of `data` to change.
 */
export function transferFailed(
  overrides: Partial<TransferData> = {},
): Extract<WebhookPayload, { event: 'transfer.completed' }> {
  return transferCompleted({
    status: 'failed',
    errorCode: 36,
    errorMessage: 'Not enough TON',
    ...overrides,
  })
}

/**
 * Returns a `transfer.refunded` payload. The event is announced without a description of its data.
 * @param data @default {}
 */
export function transferRefunded(
  data: unknown = {},
): Exclude<WebhookPayload, { event: 'transfer.completed' }> {
  return { event: 'transfer.refunded', timestamp: TIMESTAMP, data }
}
