import type { Decision, Delivery, HandlerTask, DeadHandlerTask } from '@tonplug/core'
import type { Row } from './queryable.js'

/** The columns of `DELIVERY_COLUMNS`. */
export function toDelivery(row: Row): Delivery {
  const decision = row['decision']
  return {
    id: text(row, 'id'),
    receiver: text(row, 'receiver'),
    key: text(row, 'key'),
    reference: text(row, 'reference'),
    txHash: text(row, 'tx_hash'),
    rawBody: text(row, 'raw_body'),
    signedWith: text(row, 'signed_with'),
    wasCompletedBefore: row['was_completed_before'] === 'true',
    receivedAtMs: number(row, 'received_ms'),
    // The table checks it.
    state: text(row, 'state') as Delivery['state'],
    attempts: number(row, 'attempts'),
    // Written by `decide` alone.
    ...(typeof decision === 'string' && { decision: JSON.parse(decision) as Decision }),
  }
}

export function toTask(row: Row): HandlerTask {
  return { ...taskFields(row), attempt: number(row, 'attempts'), leaseId: text(row, 'lease_id') }
}

export function toDeadTask(row: Row): DeadHandlerTask {
  return { ...taskFields(row), attempts: number(row, 'attempts'), error: text(row, 'error') }
}

function taskFields(row: Row) {
  return {
    id: text(row, 'id'),
    deliveryId: text(row, 'delivery_id'),
    idempotencyKey: text(row, 'idempotency_key'),
    handler: text(row, 'handler'),
  }
}

/** A column that is never null. */
export function text(row: Row | undefined, column: string): string {
  return row?.[column] ?? ''
}

export function number(row: Row | undefined, column: string): number {
  return Number(text(row, column))
}

/** A parameter that may be absent. */
export function optionalText(value: number | undefined): string | null {
  return value === undefined ? null : String(value)
}
