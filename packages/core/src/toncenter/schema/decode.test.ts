import { describe, expect, it } from 'vitest'
import { decode, type Decoding } from './decode.js'
import { fieldsOf } from './decoding.js'
import { readBigint } from './readers.js'

/** How `text` is decoded. */
function decodingOf(text: string, more: Partial<Decoding> = {}): Decoding {
  return {
    decoder(value) {
      const fields = fieldsOf(value)
      fields['lt'] = readBigint(fields['lt'])
      return fields
    },
    parseAgain: () => JSON.parse(text) as unknown,
    ...more,
  }
}

describe('decode', () => {
  it('answers at once, with the very object that it was given', () => {
    const value = { lt: '5', more: null }
    const decoded = decode(value, decodingOf(''))
    expect(decoded).toEqual({ isDecoded: true, value: { lt: 5n, more: null } })
    expect(decoded).toHaveProperty('value', value)
  })

  it('says what is wrong, and where', () => {
    const text = '{"lt": "x"}'
    expect(decode(JSON.parse(text), decodingOf(text))).toEqual({
      isDecoded: false,
      path: ['lt'],
      expected: 'an integer in decimal digits',
    })
  })

  it('does not hide what else a decoder throws', () => {
    const decoder = (): never => {
      throw new RangeError('too deep')
    }
    expect(() => decode({}, decodingOf('{}', { decoder }))).toThrow(RangeError)
  })
})
