import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { verifySignature } from '@tonplug/core'
import { signPayload } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'

interface Vector {
  name: string
  secret: string
  bodyBase64: string
  signature: string | string[] | null
  encoding: 'hex' | 'base64'
  expected: { isValid: true } | { isValid: false; reason: 'missing' | 'malformed' | 'mismatch' }
}

// The tests below verify the shape of every vector.
const { vectors } = JSON.parse(
  readFileSync(new URL('../vectors.json', import.meta.url), 'utf8'),
) as { vectors: Vector[] }

describe('vectors.json', () => {
  it('has a unique name for each vector, and both valid and invalid ones', () => {
    expect(new Set(vectors.map(({ name }) => name)).size).toBe(vectors.length)
    expect(vectors.filter(({ expected }) => expected.isValid).length).toBeGreaterThan(20)
    expect(vectors.filter(({ expected }) => !expected.isValid).length).toBeGreaterThan(40)
  })

  // Computed with node:crypto alone, so that the vectors and the code that they test cannot share a mistake.
  it.each(vectors)('expects the right outcome of $name', ({ expected, ...vector }) => {
    expect(judge(vector)).toEqual(expected)
  })
})

function judge(vector: Omit<Vector, 'expected'>): Vector['expected'] {
  const { secret, bodyBase64, signature, encoding } = vector
  if (signature === null || signature === '') return { isValid: false, reason: 'missing' }
  const format = encoding === 'hex' ? /^sha256=[0-9a-fA-F]{64}$/ : /^sha256=[A-Za-z0-9+/]{43}=$/
  if (typeof signature !== 'string' || !format.test(signature)) {
    return { isValid: false, reason: 'malformed' }
  }
  const digest = createHmac('sha256', secret)
    .update(Buffer.from(bodyBase64, 'base64'))
    .digest(encoding)
  const given = signature.slice('sha256='.length)
  const isValid = digest === (encoding === 'hex' ? given.toLowerCase() : given)
  return isValid ? { isValid } : { isValid, reason: 'mismatch' }
}

describe('verifySignature', () => {
  it.each(vectors)('agrees with the vector: $name', (vector) => {
    const { secret, signature, encoding, expected } = vector
    const rawBody = Buffer.from(vector.bodyBase64, 'base64')
    const check = verifySignature(rawBody, signature, { secrets: secret, encoding })
    expect(check).toEqual(expected.isValid ? { isValid: true, secretName: 'secrets[0]' } : expected)
  })
})

describe('signPayload', () => {
  const signed = vectors.filter(({ name, expected }) => expected.isValid && !name.startsWith('S6'))
  it.each(signed)('has the signature of the vector: $name', (vector) => {
    const { secret, signature, encoding } = vector
    const bytes = Buffer.from(vector.bodyBase64, 'base64')
    expect(signPayload(bytes, secret, { encoding }).signature).toBe(signature)
  })
})
