// The whole module: bundlers for browsers replace it with an empty one, and a named import from that is an error.
import nodeCrypto from 'node:crypto'
import { toBytes, type RawBytes } from './raw-bytes.js'
import { nameSecrets, type NamedSecret, type Secrets } from './secrets.js'

const PREFIX = 'sha256='
const ENCODINGS = {
  hex: { pattern: /^sha256=[0-9a-fA-F]{64}$/, length: 64 },
  base64: { pattern: /^sha256=[A-Za-z0-9+/]{43}=$/, length: 44 },
} as const

export type SignatureEncoding = 'hex' | 'base64'

export type SignatureCheck =
  | { isValid: true; secretName: string }
  | { isValid: false; reason: 'missing' | 'malformed' | 'mismatch' }

/**
 * Checks the signature of a webhook: `sha256=` and the HMAC-SHA256 of the exact bytes of the body, in hex (either
 * case). A string is encoded as UTF-8. The comparison takes constant time.
 * Source: webhook description, part 5.
 * @param signature the header's value, also in a list of one value.
 * @throws {ConfigurationError} when a secret is missing, empty, surrounded by white space, or can only be a mistake.
 * @example
 * const check = verifySignature(rawBody, request.headers['x-tonpay-signature'], { secrets })
 * if (!check.isValid) response.writeHead(401).end()
 */
export function verifySignature(
  rawBody: RawBytes,
  signature: string | readonly string[] | null | undefined,
  options: { secrets: Secrets; encoding?: SignatureEncoding | undefined },
): SignatureCheck {
  const secrets = nameSecrets(options.secrets)
  const encoding = options.encoding ?? 'hex'
  const read = readSignature(signature, encoding)
  return 'digest' in read ? matchDigest(toBytes(rawBody), read.digest, { secrets, encoding }) : read
}

/** Returns the digest in a header, hex in lower case. It is checked for its format before the body is read. */
export function readSignature(
  given: string | readonly string[] | null | undefined,
  encoding: SignatureEncoding,
): { digest: string } | (SignatureCheck & { isValid: false }) {
  const signature = Array.isArray(given) && given.length === 1 ? (given[0] as string) : given
  if (signature === undefined || signature === null || signature === '') {
    return { isValid: false, reason: 'missing' }
  }
  if (typeof signature !== 'string' || !ENCODINGS[encoding].pattern.test(signature)) {
    return { isValid: false, reason: 'malformed' }
  }
  const digest = signature.slice(PREFIX.length)
  return { digest: encoding === 'hex' ? digest.toLowerCase() : digest }
}

/** Checks whether one of the secrets signs the body with this digest. */
export function matchDigest(
  rawBody: Uint8Array | string,
  digest: string,
  { secrets, encoding }: { secrets: readonly NamedSecret[]; encoding: SignatureEncoding },
): SignatureCheck {
  for (const { name, secret } of secrets) {
    // A string key: on Node 24 a Buffer key costs five times the HMAC of a small body.
    const actual = nodeCrypto.createHmac('sha256', secret).update(rawBody).digest(encoding)
    if (isEqual(actual, digest, ENCODINGS[encoding].length)) {
      return { isValid: true, secretName: name }
    }
  }
  return { isValid: false, reason: 'mismatch' }
}

const encoder = new TextEncoder()
const left = { 64: new Uint8Array(64), 44: new Uint8Array(44) }
const right = { 64: new Uint8Array(64), 44: new Uint8Array(44) }

/** The comparison is synchronous, so all calls share two arrays of each length. */
function isEqual(actual: string, claimed: string, length: 64 | 44): boolean {
  encoder.encodeInto(actual, left[length])
  encoder.encodeInto(claimed, right[length])
  return nodeCrypto.timingSafeEqual(left[length], right[length])
}
