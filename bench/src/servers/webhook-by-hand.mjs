// A webhook handler that a careful engineer would write for one shop without tonplug: the same guarantees, in memory.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { SECRET } from '../webhooks.mjs'

const DEADLINE_MS = 8000
const TEXTS = [
  'amount',
  'rawAmount',
  'senderAddr',
  'recipientAddr',
  'asset',
  'status',
  'reference',
  'bodyBase64Hash',
  'txHash',
  'traceId',
  'date',
]

export function isSigned(body, headers) {
  const digest = createHmac('sha256', SECRET).update(body).digest('hex')
  const given = Buffer.from(headers['x-tonpay-signature'] ?? '')
  const expected = Buffer.from(`sha256=${digest}`)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** Verifies and parses a delivery, and stores nothing. */
export function read(body) {
  const { data } = JSON.parse(body.toString())
  return { ok: data.status === 'success' }
}

/**
 * Verifies, checks the fields, stores the delivery, finds and compares the order, claims the transaction, so that it completes
 * one order only, completes the order and records the decision, within a deadline.
 * @param orders `find` and `complete` of an order repository
 * @returns status and body of the response
 */
export function createByHand(orders) {
  const deliveries = new Map()
  /** The order that each transaction has paid. */
  const claims = new Map()

  async function take(body, headers) {
    if (!isSigned(body, headers)) return { status: 401, body: { ok: false } }
    const text = body.toString()
    const transfer = readTransfer(text)
    if (transfer === undefined) return { status: 400, body: { ok: false } }
    const { reference, txHash, status, rawAmount, asset } = transfer
    const key = JSON.stringify([reference, txHash, status, rawAmount, asset])
    const delivery = deliveries.get(key) ?? { text, receivedAt: new Date(), decision: undefined }
    deliveries.set(key, delivery)
    if (delivery.decision === undefined) delivery.decision = await decide(transfer)
    return { status: 200, body: { ok: true } }
  }

  async function decide(transfer) {
    const order = await orders.find({ reference: transfer.reference })
    if (order === null) return 'unknown_order'
    if (order.status === 'completed') return 'duplicate'
    if (transfer.status !== 'success') return 'failed'
    if (!isExpected(transfer, order)) return 'mismatch'
    const { reference, txHash } = transfer
    if ((claims.get(txHash) ?? reference) !== reference) return 'used'
    claims.set(txHash, reference)
    const payment = { ...transfer, rawAmount: BigInt(transfer.rawAmount) }
    return orders.complete({ reference }, payment)
  }

  return function takeInTime(body, headers) {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => resolve({ status: 503, body: { ok: false } }), DEADLINE_MS)
      take(body, headers)
        .finally(() => clearTimeout(timer))
        .then(resolve, reject)
    })
  }
}

function readTransfer(text) {
  const { event, timestamp, data } = JSON.parse(text)
  if (event !== 'transfer.completed' || typeof timestamp !== 'string') return undefined
  if (typeof data !== 'object' || data === null) return undefined
  return TEXTS.every((name) => typeof data[name] === 'string') ? data : undefined
}

function isExpected({ rawAmount, asset }, order) {
  if (!/^\d{1,80}$/.test(rawAmount) || BigInt(rawAmount) !== order.rawAmount) return false
  return asset === order.asset
}
