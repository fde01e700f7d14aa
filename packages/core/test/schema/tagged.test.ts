import { describe, expect, it } from 'vitest'
import { withDrift } from '../../src/toncenter/schema/drift.js'
import { parse, safeParse } from './read-schema.js'
import * as field from '../../src/toncenter/schema/fields.js'

const tagged = field.tagged('action', field.object({ lt: field.bigint }), {
  tag: 'type',
  content: 'details',
  options: {
    transfer: field.object({ amount: field.bigint }),
    call: field.object({ opcode: field.string }),
  },
})

function read(value: unknown): { result: unknown; drifts: string[] } {
  const drifts: string[] = []
  const result = withDrift(
    (path, problem) => drifts.push(`${path}: ${problem}`),
    () => parse(tagged, value),
  )
  return { result, drifts }
}

describe('tagged', () => {
  it('reads the content by the tag', () => {
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

  it('lets the tag tell the type of the content', () => {
    const one = parse(tagged, { lt: '1', type: 'transfer', details: { amount: '5' } })
    const amount: bigint | undefined = one.type === 'transfer' ? one.details?.amount : undefined
    expect(amount).toBe(5n)
  })

  it('takes null and absence of the content alike', () => {
    expect(parse(tagged, { lt: '1', type: 'transfer', details: null }).details).toBeUndefined()
    expect(parse(tagged, { lt: '1', type: 'transfer' }).details).toBeUndefined()
  })

  it.each([{ amount: 'x' }, {}, 5, []])(
    'takes a content of another shape for none, and tells about it: %j',
    (details) => {
      expect(read({ lt: '1', type: 'transfer', details })).toEqual({
        result: { lt: 1n, type: 'transfer', details: undefined },
        drifts: ['action.details: cannot be read'],
      })
    },
  )

  it('keeps the content of an unknown tag, reads the other fields, and tells about it', () => {
    expect(read({ lt: '1', type: 'dance', details: { amount: 'x' } })).toEqual({
      result: { lt: 1n, type: 'dance', details: { amount: 'x' } },
      drifts: ['action.type: unknown value "dance"'],
    })
  })

  it.each(['constructor', '__proto__', 'toString'])('takes %s for an unknown tag', (type) => {
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
