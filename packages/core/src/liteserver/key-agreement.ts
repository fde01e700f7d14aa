import {
  createHash,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
} from 'node:crypto'

// Headers of raw keys in the formats that node:crypto reads.
const X25519_PRIVATE = Buffer.from('302e020100300506032b656e04220420', 'hex')
const X25519_PUBLIC = Buffer.from('302a300506032b656e032100', 'hex')

const PRIME = 2n ** 255n - 19n

/**
 * Agrees on a secret with the holder of an Ed25519 key, by X25519. A new key pair is made for each call.
 * @param serverKey 32 bytes
 * @throws when the key is not a point of the curve.
 */
export function agreeWith(serverKey: Uint8Array): { publicKey: Uint8Array; secret: Uint8Array } {
  const pair = generateKeyPairSync('ed25519')
  // The raw keys are at the end of both formats.
  const seed = pair.privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32)
  const publicKey = pair.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  const scalar = createHash('sha512').update(seed).digest().subarray(0, 32)
  const privateKey = createPrivateKey({
    key: Buffer.concat([X25519_PRIVATE, scalar]),
    format: 'der',
    type: 'pkcs8',
  })
  const serverPoint = createPublicKey({
    key: Buffer.concat([X25519_PUBLIC, toMontgomery(serverKey)]),
    format: 'der',
    type: 'spki',
  })
  return { publicKey, secret: diffieHellman({ privateKey, publicKey: serverPoint }) }
}

/** Converts an Ed25519 key to X25519: u = (1 + y) / (1 - y). */
export function toMontgomery(key: Uint8Array): Uint8Array {
  const hex = Buffer.from(key).reverse().toString('hex')
  // The highest bit is the sign of the other coordinate.
  const y = BigInt(`0x${hex}`) & (2n ** 255n - 1n)
  const u = (mod(1n + y) * power(mod(1n - y), PRIME - 2n)) % PRIME
  return Buffer.from(u.toString(16).padStart(64, '0'), 'hex').reverse()
}

function mod(value: bigint): bigint {
  return ((value % PRIME) + PRIME) % PRIME
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n
  let square = base
  for (let left = exponent; left > 0n; left >>= 1n) {
    if ((left & 1n) === 1n) result = (result * square) % PRIME
    square = (square * square) % PRIME
  }
  return result
}
