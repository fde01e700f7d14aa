import { describe, expect, it } from 'vitest'
import { driftOf, parse, safeParse } from './read-schema.js'
import * as field from '../../../src/toncenter/schema/fields.js'

const fees = field.list(field.object({ value: field.bigint }))
const tagged = field.tagged('action', field.object({ lt: field.bigint }), {
  transfer: field.object({ amount: field.bigint, fees: field.optional(fees) }),
  call: field.object({ opcode: field.string }),
})

function read(value: unknown): { result: unknown; drifts: string[] } {
  return { result: parse(tagged, value), drifts: driftOf(tagged, value) }
}

describe('tagged', () => {
  it('reads the details by the type', () => {
    expect(read({ lt: '1', type: 'transfer', details: { amount: '5', more: 1 } })).toEqual({
      result: { lt: 1n, type: 'transfer', details: { amount: 5n, more: 1 } },
      drifts: [],
    })
    expect(parse(tagged, { lt: '1', type: 'call', details: { opcode: '0x1' } })).toEqual({
      lt: 1n,
      type: 'call',
      details: { opcode: '0x1' },
    })
  })

  it('narrows the details by the type', () => {
    const one = parse(tagged, { lt: '1', type: 'transfer', details: { amount: '5' } })
    const amount: bigint | undefined = one.type === 'transfer' ? one.details.amount : undefined
    expect(amount).toBe(5n)
  })

  it.each([{}, { details: null }])('has the type unreadable without details: %j', (given) => {
    expect(read({ lt: '1', type: 'transfer', ...given })).toEqual({
      result: { lt: 1n, type: 'unreadable', received_type: 'transfer', details: undefined },
      drifts: [],
    })
  })

  it.each([{ amount: 'x' }, { amount: '5', fees: [{ value: '1' }, { value: 'x' }] }, {}, 5, []])(
    'has the type unreadable and keeps details of another format: %j',
    (details) => {
      expect(read({ lt: '1', type: 'transfer', details })).toEqual({
        result: { lt: 1n, type: 'unreadable', received_type: 'transfer', details },
        drifts: ['action.details: cannot be read'],
      })
    },
  )

  it('names the received type of a type that is itself called unreadable', () => {
    expect(read({ lt: '1', type: 'unreadable', details: 5 }).result).toEqual({
      lt: 1n,
      type: 'unreadable',
      received_type: 'unreadable',
      details: 5,
    })
  })

  it('keeps the details of an unknown type, reads the other fields, and reports the type', () => {
    expect(read({ lt: '1', type: 'dance', details: { amount: 'x' } })).toEqual({
      result: { lt: 1n, type: 'dance', details: { amount: 'x' } },
      drifts: ['action.type: unknown value "dance"'],
    })
  })

  it.each(['constructor', '__proto__', 'toString'])('reads %s as an unknown type', (type) => {
    expect(read({ lt: '1', type, details: 5 }).result).toEqual({ lt: 1n, type, details: 5 })
  })

  it.each([
    ['lt', { lt: 'x', type: 'transfer' }],
    ['type', { lt: '1' }],
    ['lt', { lt: 'x', type: 'dance' }],
    ['', 5],
  ])('rejects the invalid value %j', (path, value) => {
    expect(safeParse(tagged, value).issue?.path.join('.')).toBe(path)
  })
})
