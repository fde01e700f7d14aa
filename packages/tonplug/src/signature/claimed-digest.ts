import type { SignatureEncoding } from '@tonplug/core'
import type { Mistake } from './mistake.js'

/** What a signature header claims. `digest` is missing where it cannot be an HMAC-SHA256 at all. */
export interface ClaimedDigest {
  digest?: Buffer | undefined
  mistakes: Mistake[]
}

const DIGEST_BYTES = 32

/** Reads a signature in whatever way it is written, and names what is unusual about it. */
export function readClaimedDigest(header: string, expected: SignatureEncoding): ClaimedDigest {
  const { value, mistakes } = readPrefix(header)
  const written = readDigest(value)
  if ('problem' in written) return { mistakes: [...mistakes, written.problem] }
  if (written.encoding === expected) return { digest: written.digest, mistakes }
  return { digest: written.digest, mistakes: [...mistakes, otherEncoding(written.encoding)] }
}

function readPrefix(header: string): { value: string; mistakes: Mistake[] } {
  const mistakes: Mistake[] = []
  // The whole line of the header is what one copies from a log.
  const given = header.replace(/^x-[a-z-]+:[ \t]*/i, '')
  const text = given.trim().replace(/^(["'])(.*)\1$/s, '$2')
  if (text !== given) {
    mistakes.push({
      code: 'signature-wrapped',
      problem: 'White space or quotes stand around the signature.',
      fix: 'Pass the value of the header as it arrives.',
    })
  }
  // Short, and not followed by another "=": a digest in base64 may end with them.
  const [, prefix = '', value = ''] = /^(?:([a-z0-9_-]{2,12}=)(?!=))?(.*)$/is.exec(text) ?? []
  if (prefix !== 'sha256=') {
    mistakes.push(
      prefix === ''
        ? {
            code: 'prefix-missing',
            problem: 'The signature does not begin with "sha256=".',
            fix: 'Find what strips the prefix between the gateway and your app; the gateway sends it, and a receiver demands it.',
          }
        : {
            code: 'prefix-other',
            problem: `The signature begins with "${prefix}" in place of "sha256=".`,
            fix: 'The prefix is "sha256=" in lower case; find what changes it, or who else signs.',
          },
    )
  }
  return { value, mistakes }
}

type WrittenEncoding = SignatureEncoding | 'base64url' | 'base64-of-hex'
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
        problem: 'The digest is written in base64, not in hex.',
        fix: "If your gateway sends it so, give the receiver signatureEncoding: 'base64'; if your own code signs, write it in hex.",
      }
    case 'hex':
      return {
        code,
        problem: 'The digest is written in hex, not in base64.',
        fix: "Leave out signatureEncoding: 'base64' in your receiver, and --encoding here.",
      }
    case 'base64url':
      return {
        code,
        problem: 'The digest is written in base64url, or in base64 without its last "=".',
        fix: "Write it in hex, or in standard base64 with signatureEncoding: 'base64' at the receiver.",
      }
    case 'base64-of-hex':
      return {
        code,
        problem: 'The digest is the base64 of its hex text.',
        fix: 'Write the digest in hex once; the code that signs encodes it twice.',
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
    fix: 'Copy the whole value of the header; nothing may be cut off or added.',
  }
}
