/** Without `i`, `l`, `o` and `u`, which people confuse with others. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
/** 26 characters of 5 bits each. */
const LENGTH = 26
const FORMAT = /^[89a-hjkmnp-tv-z][0-9a-hjkmnp-tv-z]{25}$/
/** Version 4. The other versions contain the time, a name or an address. */
const RANDOM_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const LETTERS_AFTER_F = /[g-z]/g
const DIGITS = /[0-9]/g
const LEAST_DISTINCT = 10
const LEAST_LETTERS = 4
const LEAST_DIGITS = 2

/**
 * Returns a random reference of 129 bits that cannot be guessed. Those that do not look random to
 * {@link isRandomReference} are not used.
 */
export function randomReference(): string {
  for (;;) {
    const bytes = globalThis.crypto.getRandomValues(new Uint8Array(LENGTH))
    const reference = Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join('')
    if (isRandomReference(reference)) return reference
  }
}

/**
 * Returns true for a reference that could not be known before it was created: one of `randomReference`, or a random UUID.
 * Other references are not mistaken for one: ULIDs, TypeIDs and other numbers of 128 bits in this alphabet begin with 0 to
 * 7, hexadecimal hashes and numbers have no letter after `f`, words have no digits, and counters repeat their characters.
 */
export function isRandomReference(reference: string): boolean {
  if (RANDOM_UUID.test(reference)) return isVaried(reference)
  return (
    FORMAT.test(reference) &&
    isVaried(reference) &&
    (reference.match(LETTERS_AFTER_F)?.length ?? 0) >= LEAST_LETTERS &&
    (reference.match(DIGITS)?.length ?? 0) >= LEAST_DIGITS
  )
}

function isVaried(reference: string): boolean {
  return new Set(reference).size >= LEAST_DISTINCT
}
