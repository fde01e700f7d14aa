import { describe, expect, it } from 'vitest'
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

  it.each([[], [''], ['x y']])('does not take the signature headers %j', (...signatureHeaders) => {
    expect(() => resolveOptions({ ...base, signatureHeaders })).toThrow(/signatureHeaders/)
  })
})
