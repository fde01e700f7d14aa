import { Address } from '@ton/core'
import { expect, test } from 'vitest'
import { toAddress, toAddressOrNull, toRawAddress } from './addresses.js'

const RAW = '-1:3333333333333333333333333333333333333333333333333333333333333333'

test('parses every address format', () => {
  const address = Address.parse(RAW)
  for (const isBounceable of [true, false]) {
    for (const testOnly of [true, false]) {
      for (const urlSafe of [true, false]) {
        const text = address.toString({ bounceable: isBounceable, testOnly, urlSafe })
        expect(toAddress(text).equals(address)).toBe(true)
      }
    }
  }
  expect(toAddress(RAW).equals(address)).toBe(true)
})

test('formats the key of an address book', () => {
  const raw = `0:${'AB'.repeat(32)}`
  expect(toRawAddress(toAddress(raw.toLowerCase()))).toBe(raw)
  expect(toRawAddress(toAddress(RAW))).toBe(RAW)
})

test('returns null for a missing account', () => {
  expect([undefined, null, ''].map(toAddressOrNull)).toEqual([null, null, null])
  expect(toAddressOrNull(RAW)?.workChain).toBe(-1)
})

test('rejects an invalid address', () => {
  expect(() => toAddress('')).toThrow('is not a TON address')
  expect(() => toAddressOrNull('EQ')).toThrow('is not a TON address')
})
