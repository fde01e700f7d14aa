import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
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

// The file is made by our own script, whose --check test below keeps it in this shape.
const { vectors } = JSON.parse(
  readFileSync(new URL('../vectors.json', import.meta.url), 'utf8'),
) as { vectors: Vector[] }

describe('vectors.json', () => {
  it('is what scripts/generate-vectors.mjs makes', () => {
    const script = new URL('../../../scripts/generate-vectors.mjs', import.meta.url)
    const check = () => execFileSync(process.execPath, [fileURLToPath(script), '--check'])
    expect(check).not.toThrow()
  })
  it('has a name of its own for each vector, and both kinds', () => {
    expect(new Set(vectors.map(({ name }) => name)).size).toBe(vectors.length)
    expect(vectors.filter(({ expected }) => expected.isValid).length).toBeGreaterThan(20)
    expect(vectors.filter(({ expected }) => !expected.isValid).length).toBeGreaterThan(40)
  })
})

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
  it.each(signed)('makes the signature of the vector: $name', (vector) => {
    const { secret, signature, encoding } = vector
    const bytes = Buffer.from(vector.bodyBase64, 'base64')
    expect(signPayload(bytes, secret, { encoding }).signature).toBe(signature)
  })
})
