import assert from 'node:assert/strict'
import { Address as TonAddress } from '@ton/core'
import { AddressError, canonicalAddress } from '../../../packages/core/src/shared/address.js'
import { documented, repeat, type Target, textOf } from '../target.js'

export const addressTarget: Target = {
  name: 'address',
  words: [
    '0:',
    '-1:',
    ':',
    '-',
    '+',
    '_',
    '/',
    '=',
    'EQ',
    'UQ',
    'kQ',
    '0Q',
    'A',
    'f',
    '0',
    '2147483647:',
    '-2147483648:',
    '0'.repeat(64),
    'fF'.repeat(32),
  ],
  grow: {
    digits: (bytes) => repeat('1', bytes),
    base64: (bytes) => repeat('EQ', bytes),
    hash: (bytes) => Buffer.from(`0:${'0'.repeat(bytes)}`),
  },
  check(input) {
    const text = textOf(input)
    let found: string | undefined
    const error = documented(AddressError, () => (found = canonicalAddress(text)))
    if (error !== undefined) assert.ok(error.message.length < 1000, 'the message is long')
    const expected = oracle(text)
    // The oracle accepts invalid raw addresses: with a workchain in any format.
    if (found !== undefined || (expected !== undefined && !text.includes(':'))) {
      assert.equal(found, expected)
    }
    if (found !== undefined) assert.equal(canonicalAddress(found), found)
  },
}

function oracle(text: string): string | undefined {
  try {
    return TonAddress.parse(text).toRawString()
  } catch {
    return undefined
  }
}
