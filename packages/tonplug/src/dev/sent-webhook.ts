import { type JsonFields, readFields } from './json-fields.js'

/** The content of a webhook. A field is null when the body does not contain it, for example after a fault. */
export interface SentWebhook {
  reference: string | null
  /** The name of the event. */
  event: string | null
  /** The status of the transfer, as sent. */
  transferStatus: string | null
  /** The received amount, whole coins. */
  amount: string | null
  ticker: string | null
  /** As sent. */
  txHash: string | null
}

/** Reads fields by patterns, because a damaged body is not valid JSON. */
export function readWebhook(body: string): SentWebhook {
  const read = (name: string): string | null => readText(body, name)
  return {
    reference: read('reference'),
    event: read('event'),
    transferStatus: read('status'),
    amount: read('amount'),
    ticker: read('assetTicker'),
    txHash: read('txHash'),
  }
}

/** The decision of a shop. */
export interface ShopDecision {
  kind: string
  /** The values that the failed rule compared; amounts in base units. */
  expected: string | null
  received: string | null
  /** The shop's own rule, or the reason of a failed proof. */
  reason: string | null
}

/** Reads the decision from the response of a receiver of tonplug. */
export function readDecision(body = ''): ShopDecision | null {
  try {
    const { decision } = readFields(body)
    if (typeof decision !== 'object' || decision === null) return null
    const { kind, expected, received, rule, reason, detail } = { ...decision } as JsonFields
    if (typeof kind !== 'string') return null
    const reasons = [rule, detail ?? reason].filter((part) => typeof part === 'string')
    return {
      kind,
      expected: textOf(expected),
      received: textOf(received),
      reason: textOf(reasons.join(': ')),
    }
  } catch {
    return null
  }
}

function textOf(value: unknown): string | null {
  const text = Array.isArray(value) ? value.join(', ') : value
  return typeof text === 'string' && text !== '' ? text : null
}

function readText(body: string, name: string): string | null {
  const [, literal] = new RegExp(`"${name}":("(?:[^"\\\\]|\\\\.)*")`).exec(body) ?? []
  try {
    const value: unknown = literal === undefined ? null : JSON.parse(literal)
    return typeof value === 'string' ? value : null
  } catch {
    return null
  }
}
