import { createCipheriv, createHash, randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { createAdnlSession, PARAMETER_BYTES } from '../../src/liteserver/adnl-session.js'

const PAYLOADS = [0, 1, 253, 5000].map((length) => randomBytes(length))

it.each([1, 3, 4, 67, 1000, 1_000_000])('reads packets in pieces of %i bytes', (size) => {
  const parameters = randomBytes(PARAMETER_BYTES)
  const session = createAdnlSession(parameters)
  const stream = encrypt(parameters, Buffer.concat(PAYLOADS.map(packetOf)))
  const payloads: Uint8Array[] = []
  for (let at = 0; at < stream.length; at += size) {
    payloads.push(...session.read(stream.subarray(at, at + size)))
  }
  expect(payloads).toEqual(PAYLOADS)
})

it.each([63, 16_777_217, 0xff_ff_ff_ff])('rejects a packet of %i bytes at its length', (length) => {
  const parameters = randomBytes(PARAMETER_BYTES)
  const stream = encrypt(parameters, uint32(length))
  expect(() => createAdnlSession(parameters).read(stream)).toThrow(`a packet has ${length} bytes`)
})

/** Encrypts as the server does. */
function encrypt(parameters: Buffer, bytes: Buffer): Buffer {
  const [key, counter] = [parameters.subarray(0, 32), parameters.subarray(64, 80)]
  return createCipheriv('aes-256-ctr', key, counter).update(bytes)
}

function packetOf(payload: Buffer): Buffer {
  const content = Buffer.concat([randomBytes(32), payload])
  const hash = createHash('sha256').update(content).digest()
  return Buffer.concat([uint32(content.length + hash.length), content, hash])
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
