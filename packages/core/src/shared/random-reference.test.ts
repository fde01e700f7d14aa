import { createHash, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { isRandomReference, randomReference } from './random-reference.js'

describe('isRandomReference', () => {
  it('accepts every reference of randomReference, and random UUIDs', () => {
    for (let round = 0; round < 1000; round++) {
      expect(isRandomReference(randomReference())).toBe(true)
      expect(isRandomReference(randomUUID())).toBe(true)
    }
  })

  it.each([
    ['a number', 'order 17'],
    ['an empty reference', ''],
    ['a ULID in lower case', '01jgz3k8v9xq2w7t5m4n6p8r0s'],
    ['the suffix of a TypeID', '7zzzzzzzzvxq2w7t5m4n6p8r0s'],
    ['a hexadecimal hash', createHash('sha256').update('order 17').digest('hex').slice(0, 26)],
    ['a hexadecimal hash that begins with a letter', 'e9b4f05a6c7d8e9fa1b2c3d4e5'],
    ['a date and a counter', '92026112623595900000000017'],
    ['a padded counter', 'shp9x000000000000000000017'],
    ['words', 'thanks-for-the-payment-17x'],
    ['words of the same letters', 'pays9for7the4phnephnephnew'.replaceAll(/\d/g, 'x')],
    ['capital letters', randomReference().toUpperCase()],
    ['a space at its end', `${randomReference()} `],
    ['25 characters', randomReference().slice(1)],
    ['a UUID of a time', '018f3a7e-5c1b-7a2d-9e4f-0123456789ab'],
    ['a UUID of a name', '886313e1-3b8a-5372-9b90-0c9aee199e5d'],
    ['an empty UUID', '00000000-0000-4000-8000-000000000017'],
  ])('rejects %s', (_, reference) => {
    expect(isRandomReference(reference)).toBe(false)
  })
})
