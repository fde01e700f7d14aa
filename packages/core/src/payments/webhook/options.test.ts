import { describe, expect, it } from 'vitest'
import { memoryOrderRepository } from '../orders/memory-order-repository.js'
import { createPayments } from '../engine/payments.js'
import { resolveReceiverOptions } from './options.js'

const logger = { debug: ignore, info: ignore, warn: ignore, error: ignore }
const payments = createPayments({ orders: memoryOrderRepository(), autoStart: false, logger })
const base = { payments, secrets: 'whsec_options' }

function ignore(): void {}

describe('resolveReceiverOptions', () => {
  it.each([0, -1, NaN, Infinity, 2 ** 31])('rejects a deadline of %s ms', (deadlineMs) => {
    expect(() => resolveReceiverOptions({ ...base, deadlineMs })).toThrow(
      /deadlineMs: must be a number of milliseconds above zero/,
    )
  })

  it.each<[string, object]>([
    [
      "unsupportedEvent: must be 'reject' or 'acknowledge'; received \"rejct\"",
      { unsupportedEvent: 'rejct' },
    ],
    ["staleDelivery: must be 'reject' or 'acknowledge'; received true", { staleDelivery: true }],
    [
      "signatureEncoding: must be 'hex' or 'base64'; received \"HEX\"",
      { signatureEncoding: 'HEX' },
    ],
    [
      'deadlineMs: must be a number of milliseconds above zero and up to 2147483647; received a string of 4 characters',
      { deadlineMs: '8000' },
    ],
    ['signatureHeaders: must be a list of header names', { signatureHeaders: 'x-sig' }],
    ['secrets: must not be an empty list', { secrets: [] }],
    ['secrets[0]: must not be empty', { secrets: '' }],
    [
      'secrets[0]: must be a non-empty string; received undefined. Set TONPAY_WEBHOOK_SECRET',
      { secrets: undefined },
    ],
    [
      'payments: must be the result of createPayments(); received undefined',
      { payments: undefined },
    ],
    [
      'payments: must be the result of createPayments(); received an object without submit, state',
      { payments: {} },
    ],
  ])('states what was expected and received: %s', (message, options) => {
    expect(() => resolveReceiverOptions({ ...base, ...options })).toThrow(message)
  })

  it.each([[], [''], ['x y']])('rejects the signature headers %j', (...signatureHeaders) => {
    expect(() => resolveReceiverOptions({ ...base, signatureHeaders })).toThrow(/signatureHeaders/)
  })
})
