import { createCipheriv, createHash, randomBytes } from 'node:crypto'

/** Length of the random parameters of a session: two keys, two counters, and padding. */
export const PARAMETER_BYTES = 160
const NONCE_BYTES = 32
const HASH_BYTES = 32
/** More than any answer that is read. */
const MAX_PACKET_BYTES = 16_777_216
const LENGTH_BYTES = 4

const sha256 = (...parts: readonly Uint8Array[]): Buffer => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** Encrypts and decrypts the packets of a connection. Source: "ADNL over TCP" in the documentation of TON. */
export interface AdnlSession {
  /** Returns the packet with a payload. */
  write(payload: Uint8Array): Uint8Array
  /**
   * Returns the payloads that are complete with these bytes.
   * @throws {TypeError} when a packet has a wrong hash or length.
   */
  read(bytes: Uint8Array): Uint8Array[]
}

/** Creates the session of a client. @param parameters {@link PARAMETER_BYTES} bytes */
export function createAdnlSession(
  parameters: Uint8Array,
  nonceOf: () => Uint8Array = () => randomBytes(NONCE_BYTES),
): AdnlSession {
  const part = (from: number, to: number): Uint8Array => parameters.subarray(from, to)
  const incoming = createCipheriv('aes-256-ctr', part(0, 32), part(64, 80))
  const outgoing = createCipheriv('aes-256-ctr', part(32, 64), part(80, 96))
  const parts = createPacketReader()
  return {
    write(payload) {
      const length = Buffer.alloc(4)
      length.writeUInt32LE(NONCE_BYTES + payload.length + HASH_BYTES)
      const nonce = nonceOf()
      return outgoing.update(Buffer.concat([length, nonce, payload, sha256(nonce, payload)]))
    },
    read(bytes) {
      const payloads: Uint8Array[] = []
      for (const packet of parts.read(incoming.update(bytes))) {
        const content = packet.subarray(0, -HASH_BYTES)
        const hash = packet.subarray(-HASH_BYTES)
        if (!sha256(content).equals(hash)) throw new TypeError('a packet has a wrong hash')
        payloads.push(content.subarray(NONCE_BYTES))
      }
      return payloads
    },
  }
}

/** Divides a stream into packets, each after its length. Copies each byte once, however small the pieces are. */
function createPacketReader() {
  const length = Buffer.alloc(LENGTH_BYTES)
  let part = length
  let filled = 0
  return {
    read(bytes: Uint8Array): Buffer[] {
      const packets: Buffer[] = []
      let rest = bytes
      while (rest.length > 0) {
        const taken = rest.subarray(0, part.length - filled)
        part.set(taken, filled)
        filled += taken.length
        rest = rest.subarray(taken.length)
        if (filled < part.length) break
        if (part !== length) packets.push(part)
        part = part === length ? Buffer.allocUnsafe(checkedLength(length)) : length
        filled = 0
      }
      return packets
    },
  }
}

/** @throws {TypeError} */
function checkedLength(bytes: Buffer): number {
  const length = bytes.readUInt32LE()
  if (length < NONCE_BYTES + HASH_BYTES || length > MAX_PACKET_BYTES) {
    throw new TypeError(`a packet has ${length} bytes`)
  }
  return length
}

/** Parts of a {@link writeHandshake}. */
export interface Handshake {
  /** The Ed25519 key of the server. */
  serverKey: Uint8Array
  /** The Ed25519 key of the client. */
  clientKey: Uint8Array
  /** Agreed on by both keys. */
  secret: Uint8Array
  /** Parameters of the session. */
  parameters: Uint8Array
}

/** Returns the first 256 bytes of a connection. */
export function writeHandshake({
  serverKey,
  clientKey,
  secret,
  parameters,
}: Handshake): Uint8Array {
  const hash = sha256(parameters)
  const key = Buffer.concat([secret.subarray(0, 16), hash.subarray(16)])
  const counter = Buffer.concat([hash.subarray(0, 4), secret.subarray(20)])
  const encrypted = createCipheriv('aes-256-ctr', key, counter).update(parameters)
  // The id of a key is the hash of its TL form.
  const serverId = sha256(Buffer.from('c6b41348', 'hex'), serverKey)
  return Buffer.concat([serverId, clientKey, hash, encrypted])
}
