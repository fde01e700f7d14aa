import { z } from 'zod'
import { MAX_COMMENT_BYTES } from '../chain/write-body.js'

/** Without `i`, `l`, `o` and `u`, which people confuse with others. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
/** 26 characters of 5 bits each: 130 bits. */
const LENGTH = 26

// Words of visible characters with one ordinary space between them: wallets and people change any other space.
const VISIBLE = /^[^\p{C}\p{Z}]+(?: [^\p{C}\p{Z}]+)*$/u
const MESSAGE = `must be 1 to ${MAX_COMMENT_BYTES} bytes of visible characters, without spaces at its ends. Omit it for a random one`

/** Returns a random reference that cannot be guessed. */
export function randomReference(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(LENGTH))
  return Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join('')
}

/** A reference that all wallets send unchanged: it fits into one cell, and no wallet trims or normalizes it. */
export const referenceSchema = z.string(MESSAGE).refine(isSendable, MESSAGE)

function isSendable(reference: string): boolean {
  const { length } = new TextEncoder().encode(reference)
  return length <= MAX_COMMENT_BYTES && VISIBLE.test(reference)
}
