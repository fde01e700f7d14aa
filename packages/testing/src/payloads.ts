import type { OpaquePayload, TransferCompletedPayload, TransferData } from '@tonplug/core'
import { formatAmount, parseAmount } from './gateway/amount.js'
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
 * A `transfer.completed` payload of a successful transfer: 10.5 TON for order `order-1`, every
 * documented field. The same values on every call; amounts in base units are `rawAmount`.
 * Source: webhook description, part 2.
 * @param overrides fields of `data` to change. Give each transfer its own `txHash`. Of `amount` and `rawAmount` one is
 * enough: the other one follows from it, with the six decimals of USDT, and nine for all else. Give both where they are
 * to differ.
 */
export function transferCompleted(overrides: Partial<TransferData> = {}): TransferCompletedPayload {
  return {
    event: 'transfer.completed',
    timestamp: TIMESTAMP,
    data: { ...success, ...overrides, ...otherAmount(overrides) },
  }
}

/** The amount that was not given beside the one that was; nothing where that one is no amount. */
function otherAmount({
  amount,
  rawAmount,
  asset = success.asset,
}: Partial<TransferData>): Partial<TransferData> {
  const decimals = decimalsOf(asset)
  if (amount === undefined && rawAmount !== undefined && /^\d+$/.test(rawAmount)) {
    return { amount: formatAmount(BigInt(rawAmount), decimals) }
  }
  const units = rawAmount === undefined ? parseAmount(amount ?? '', decimals) : undefined
  return units === undefined ? {} : { rawAmount: units.toString() }
}

/**
 * A `transfer.completed` payload of a transfer that failed, with `errorCode` 36 and its message.
 * @param overrides fields of `data` to change.
 */
export function transferFailed(overrides: Partial<TransferData> = {}): TransferCompletedPayload {
  return transferCompleted({
    status: 'failed',
    errorCode: 36,
    errorMessage: 'Not enough TON',
    ...overrides,
  })
}

/**
 * A `transfer.refunded` payload. The event is announced and not described, so `data` is yours.
 * @param data @default {}
 */
export function transferRefunded(data: unknown = {}): OpaquePayload {
  return { event: 'transfer.refunded', timestamp: TIMESTAMP, data }
}
