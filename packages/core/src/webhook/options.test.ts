import { describe, expect, it } from 'vitest'
import { createHandlerRegistry } from '../inbox/handler-registry.js'
import { memoryInbox } from '../inbox/memory-inbox.js'
import { memoryOrderRepository } from '../orders/memory-repository.js'
import { resolveOptions } from './options.js'

const base = { secrets: 'whsec_options', orders: memoryOrderRepository() }

describe('resolveOptions', () => {
  it.each([0, -1, NaN, Infinity, 2 ** 31])('does not take a deadline of %s ms', (deadlineMs) => {
    expect(() => resolveOptions({ ...base, deadlineMs })).toThrow(/deadlineMs: is/)
  })

  it('names the methods that a repository lacks', () => {
    // What JavaScript callers may hand over, whatever the types say.
    const orders = { findByReference: () => null } as unknown as typeof base.orders
    expect(() => resolveOptions({ ...base, orders })).toThrow(
      /no complete, recordFailure, listOpen/,
    )
  })

  it.each<[string, object]>([
    [
      "unsupportedEvent: is \"rejct\"; give 'reject' or 'acknowledge'",
      { unsupportedEvent: 'rejct' },
    ],
    ["staleDelivery: is true; give 'reject' or 'acknowledge'", { staleDelivery: true }],
    ["signatureEncoding: is \"HEX\"; give 'hex' or 'base64'", { signatureEncoding: 'HEX' }],
    ['deadlineMs: is "8000"; give a number above zero', { deadlineMs: '8000' }],
    ['inbox: has no store, decide, claimDeliveries,', { inbox: Promise.resolve(memoryInbox()) }],
    ['rules: is no list of functions; give [rule]', { rules: () => undefined }],
    ['rules: is no list of functions; give [rule]', { rules: ['blocked'] }],
    ['acceptAmount: is a boolean; give a function', { acceptAmount: true }],
    ['recipients: is "EQ"; give a list of addresses', { recipients: 'EQ' }],
    ['recipients: is null; give a list of addresses', { recipients: null }],
    ['signatureHeaders: is "x-sig"; give at least one', { signatureHeaders: 'x-sig' }],
    ['verifyOnChain: is a boolean without prove(); give what', { verifyOnChain: true }],
    ['secrets: is an empty list; give the webhook secret', { secrets: [] }],
    ['secrets[0]: is empty, and anybody could sign with it; give', { secrets: '' }],
  ])('says what is given and what to give: %s', (message, options) => {
    expect(() => resolveOptions({ ...base, ...options })).toThrow(message)
  })

  it('takes null for no handler', () => {
    // What JavaScript callers may write, whatever the types say.
    const onPaid = null as unknown as undefined
    expect(createHandlerRegistry({ onPaid }, 'default').names()).toEqual([])
  })

  it.each([[], [''], ['x y']])('does not take the signature headers %j', (...signatureHeaders) => {
    expect(() => resolveOptions({ ...base, signatureHeaders })).toThrow(/signatureHeaders/)
  })
})
