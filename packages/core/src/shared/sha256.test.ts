import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { sha256 } from './sha256.js'

it('returns the hash that the built-in module returns, for every length up to three blocks', () => {
  for (let length = 0; length <= 192; length++) {
    const bytes = Uint8Array.from({ length }, (_, index) => (index * 31 + length) % 256)
    const expected = createHash('sha256').update(bytes).digest('hex')
    expect(Buffer.from(sha256(bytes)).toString('hex')).toBe(expected)
  }
})
