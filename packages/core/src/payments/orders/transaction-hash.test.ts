import { describe, expect, it } from 'vitest'
import { canonicalTransactionHash } from './transaction-hash.js'

const bytes = Buffer.from(Array.from({ length: 32 }, (_, index) => (index * 37 + 251) % 256))
const hex = bytes.toString('hex')

describe('canonicalTransactionHash', () => {
  it.each([
    ['lower-case hex', hex],
    ['upper-case hex', hex.toUpperCase()],
    ['hex after 0x', `0x${hex}`],
    ['base64', bytes.toString('base64')],
    ['base64url without padding', bytes.toString('base64url')],
    ['base64url with padding', `${bytes.toString('base64url')}=`],
  ])('spells %s as lower-case hex', (_, text) => {
    expect(canonicalTransactionHash(text)).toBe(hex)
  })

  it.each([
    '<TX_HASH>',
    'x',
    '',
    hex.slice(1),
    `${hex}0`,
    `${bytes.toString('base64').slice(0, 42)}B=`,
  ])('keeps %j, which is no 256-bit hash', (text) => {
    expect(canonicalTransactionHash(text)).toBe(text)
  })
})
