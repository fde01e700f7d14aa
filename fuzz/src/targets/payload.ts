import assert from 'node:assert/strict'
import { PayloadError } from '../../../packages/core/src/errors/webhook.js'
import { canonicalTransactionHash } from '../../../packages/core/src/orders/transaction-hash.js'
import { receiverRules } from '../../../packages/core/src/orders/rules.js'
import {
  isTransferCompleted,
  parsePayload,
  type TransferData,
  type WebhookPayload,
} from '../../../packages/core/src/webhook/payload.js'
import { documented, isDeep, join, JSON_WORDS, jsonOf, nest, type Target, wrap } from '../target.js'

const ORDER = {
  reference: 'order-1',
  status: 'pending',
  rawAmount: 10_500_000_000n,
  asset: 'TON',
} as const
const TEXTS = ['rawAmount', 'asset', 'status', 'reference', 'txHash', 'recipientAddr'] as const

/** What is as long as a message about a payload may get, whatever is wrong with it. */
const MOST_CHARACTERS = 4000

/** A body whose signature holds: it may still say anything. */
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
    // Deeper, JSON cannot be written.
    if (!isDeep(input)) {
      const text = JSON.stringify(payload)
      assert.equal(JSON.stringify(parsePayload(text)), text, 'it is read otherwise again')
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

/** Whether no rule has anything against the transfer. */
function isPaid(transfer: TransferData): boolean {
  const context = {
    order: ORDER,
    transfer,
    txHash: canonicalTransactionHash(transfer.txHash),
    wasCompletedBefore: false,
    foundBy: undefined,
    recipients: ['0:0000000000000000000000000000000000000000000000000000000000000000'],
    acceptAmount: undefined,
  }
  const [orderRules, last] = [receiverRules.slice(0, -1), receiverRules.slice(-1)]
  // The rule about the recipient has something against everybody but one.
  for (const rule of last) rule(context)
  return orderRules.every((rule) => rule(context) === undefined)
}
