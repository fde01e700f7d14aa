import assert from 'node:assert/strict'
import { PayloadError } from '../../../packages/core/src/payments/orders/errors.js'
import { canonicalTransactionHash } from '../../../packages/core/src/payments/orders/transaction-hash.js'
import { builtInRules } from '../../../packages/core/src/payments/orders/rules.js'
import {
  isTransferCompleted,
  parsePayload,
  type TransferData,
  type WebhookPayload,
} from '../../../packages/core/src/payments/orders/payload.js'
import { documented, isDeep, join, JSON_WORDS, jsonOf, nest, type Target, wrap } from '../target.js'

const ORDER = {
  reference: 'order-1',
  status: 'pending',
  rawAmount: 10_500_000_000n,
  asset: 'TON',
} as const
const TEXTS = ['rawAmount', 'asset', 'status', 'reference', 'txHash', 'recipientAddr'] as const

/** Longest message about an invalid payload. */
const MOST_CHARACTERS = 4000

/** A body with a valid signature; its content may still be anything. */
export const payloadTarget: Target = {
  name: 'payload',
  words: [
    '{"event":"transfer.completed","timestamp":"","data":{',
    ...['amount', 'senderAddr', 'bodyBase64Hash', 'traceId', 'date', 'errorCode', ...TEXTS].map(
      (name) => `"${name}":`,
    ),
    '"TON"',
    '"success"',
    '"failed"',
    '"10.5"',
    '"10500000000"',
    '"order-1"',
    '"__proto__":',
    '"\\u0000"',
    '"\\ud800"',
    ...JSON_WORDS,
    '1e999',
    '\ufeff',
  ],
  grow: {
    'unknown fields': (bytes) =>
      wrap('{"event":"x","timestamp":"","data":{', '"a":1,', '"b":1}}', bytes),
    'other fields': (bytes) =>
      Buffer.from(
        `{"event":"x","timestamp":"","data":1${Array.from({ length: bytes / 10 }, (_, index) => `,"${index}":1`).join('')}}`,
      ),
    nesting: (bytes) =>
      join('{"event":"x","timestamp":"","data":', nest('[', '1', ']', bytes), '}'),
    'a long amount': (bytes) =>
      wrap('{"event":"transfer.completed","timestamp":"","data":{"rawAmount":"', '9', '"}}', bytes),
  },
  check(input) {
    let payload: WebhookPayload | undefined
    const error = documented(PayloadError, () => (payload = parsePayload(input)))
    if (error !== undefined)
      assert.ok(error.message.length < MOST_CHARACTERS, 'the message is long')
    if (payload === undefined) return
    const json = jsonOf(input) as Record<string, unknown>
    assert.equal(payload.event, json['event'])
    assert.equal(Object.getPrototypeOf(payload), Object.prototype, 'the prototype was changed')
    // JSON.stringify cannot write deeper values.
    if (!isDeep(input)) {
      const text = JSON.stringify(payload)
      assert.equal(JSON.stringify(parsePayload(text)), text, 'a second reading differs')
    }
    if (isTransferCompleted(payload)) checkTransfer(payload.data, json['data'] as TransferData)
  },
}

function checkTransfer(data: TransferData, sent: TransferData): void {
  assert.equal(Object.getPrototypeOf(data), Object.prototype, 'the prototype was changed')
  for (const name of TEXTS) {
    assert.ok(Object.hasOwn(sent, name), `${name} was not sent`)
    assert.equal(data[name], sent[name].replaceAll('\0', '\uFFFD'))
  }
  if (isPaid(data)) {
    assert.equal(BigInt(data.rawAmount), ORDER.rawAmount, 'another amount pays the order')
    assert.deepEqual([data.asset, data.status], [ORDER.asset, 'success'])
  }
}

/** Returns true when every rule accepts the transfer. */
function isPaid(transfer: TransferData): boolean {
  const context = {
    order: ORDER,
    transfer,
    txHash: canonicalTransactionHash(transfer.txHash),
    wasCompletedBefore: false,
    source: 'webhook',
    wallets: ['0:0000000000000000000000000000000000000000000000000000000000000000'],
    amounts: undefined,
    receivedAtMs: 0,
  } as const
  const [orderRules, last] = [builtInRules.slice(0, -1), builtInRules.slice(-1)]
  // The rule about the recipient rejects every wallet except one; it must not throw.
  for (const { judge } of last) judge(context)
  return orderRules.every(({ judge }) => judge(context) === undefined)
}
