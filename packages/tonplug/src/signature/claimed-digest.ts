import type { Mistake } from './mistake.js'

/** The digest of a signature header. `digest` is missing when it cannot be an HMAC-SHA256. */
export interface ClaimedDigest {
  digest?: Buffer | undefined
  mistakes: Mistake[]
}

const DIGEST_BYTES = 32

/** Reads a signature in any format, and reports the deviations from the expected one. */
export function readClaimedDigest(header: string, expected: 'hex' | 'base64'): ClaimedDigest {
  const { value, mistakes } = readPrefix(header)
  const written = readDigest(value)
  if ('problem' in written) return { mistakes: [...mistakes, written.problem] }
  if (written.encoding === expected) return { digest: written.digest, mistakes }
  return { digest: written.digest, mistakes: [...mistakes, otherEncoding(written.encoding)] }
}

function readPrefix(header: string): { value: string; mistakes: Mistake[] } {
  const mistakes: Mistake[] = []
  // The value may be copied from a log, with the name of the header.
  const given = header.replace(/^x-[a-z-]+:[ \t]*/i, '')
  const text = given.trim().replace(/^(["'])(.*)\1$/s, '$2')
  if (text !== given) {
    mistakes.push({
      code: 'signature-wrapped',
      problem: 'White space or quotes surround the signature.',
      fix: 'Pass the value of the header unchanged.',
    })
  }
  // A digest in base64 may end with one or two "=", which do not follow a prefix.
  const [, prefix = '', value = ''] = /^(?:([a-z0-9_-]{2,12}=)(?!=))?(.*)$/is.exec(text) ?? []
  if (prefix !== 'sha256=') {
    mistakes.push(
      prefix === ''
        ? {
            code: 'prefix-missing',
            problem: 'The signature does not begin with "sha256=".',
            fix: 'Find what strips the prefix between the gateway and your app; the gateway sends it, and a receiver requires it.',
          }
        : {
            code: 'prefix-other',
            problem: `The signature begins with "${prefix}" instead of "sha256=".`,
            fix: 'The prefix is "sha256=" in lower case; find what changes it, or which other code signs.',
          },
    )
  }
  return { value, mistakes }
}

type WrittenEncoding = 'hex' | 'base64' | 'base64url' | 'base64-of-hex'
type WrittenDigest = { digest: Buffer; encoding: WrittenEncoding } | { problem: Mistake }

function readDigest(value: string): WrittenDigest {
  if (/^[0-9a-f]{64}$/i.test(value)) return { digest: Buffer.from(value, 'hex'), encoding: 'hex' }
  const bytes = /^[\w+/-]+={0,2}$/.test(value) ? Buffer.from(value, 'base64') : Buffer.alloc(0)
  if (/^[\w+/-]{43}=?$/.test(value) && bytes.length === DIGEST_BYTES) {
    return { digest: bytes, encoding: /^[a-z0-9+/]{43}=$/i.test(value) ? 'base64' : 'base64url' }
  }
  const text = bytes.toString('latin1')
  if (/^[0-9a-f]{64}$/i.test(text)) {
    return { digest: Buffer.from(text, 'hex'), encoding: 'base64-of-hex' }
  }
  return { problem: noDigest(value) }
}

function otherEncoding(encoding: WrittenEncoding): Mistake {
  const code = `digest-${encoding}`
  switch (encoding) {
    case 'base64':
      return {
        code,
        problem: 'The digest is encoded in base64, not in hex.',
        fix: "If your gateway uses base64, set signatureEncoding: 'base64' in the receiver; if your own code signs, encode the digest in hex.",
      }
    case 'hex':
      return {
        code,
        problem: 'The digest is encoded in hex, not in base64.',
        fix: "Remove signatureEncoding: 'base64' from your receiver, and --encoding here.",
      }
    case 'base64url':
      return {
        code,
        problem: 'The digest is encoded in base64url, or in base64 without its last "=".',
        fix: "Encode it in hex, or in standard base64 with signatureEncoding: 'base64' in the receiver.",
      }
    case 'base64-of-hex':
      return {
        code,
        problem: 'The digest is the base64 of its hex string.',
        fix: 'Encode the digest in hex once; the code that signs encodes it twice.',
      }
  }
}

function noDigest(value: string): Mistake {
  const algorithm = { 40: 'SHA-1', 96: 'SHA-384', 128: 'SHA-512' }[value.length]
  if (algorithm !== undefined && /^[0-9a-f]+$/i.test(value)) {
    return {
      code: 'digest-algorithm',
      problem: `The digest has ${value.length} hex digits, those of ${algorithm}; an HMAC-SHA256 has 64.`,
      fix: 'Sign with HMAC-SHA256.',
    }
  }
  return {
    code: 'digest-length',
    problem: `The signature has ${value.length} characters after its prefix; an HMAC-SHA256 has 64 hex digits, or 44 characters of base64.`,
    fix: 'Copy the complete value of the header.',
  }
}
