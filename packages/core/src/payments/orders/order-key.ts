/** Characters of a reference and of a merchant, at most. */
const LONGEST = 1024
/** NUL and lone surrogates: PostgreSQL cannot store them, and UTF-8 has no lone surrogates. */
const UNSTORABLE = /[\0\p{Surrogate}]/u
const EACH_UNSTORABLE = /[\0\p{Surrogate}]/gu

const RULE = `${LONGEST} characters, without NUL and lone surrogates`
export const REFERENCE_RULE = `must be 1 to ${RULE}`
export const MERCHANT_RULE = `must be at most ${RULE}`

/**
 * Returns true for the key that an order can have: a reference of 1 to 1024 characters and a merchant of at most 1024, both
 * without NUL and lone surrogates. No repository is asked for any other key.
 */
export function isOrderKey({
  reference,
  merchant = '',
}: {
  reference: string
  merchant?: string | undefined
}): boolean {
  return isReference(reference) && isMerchant(merchant)
}

/** See {@link isOrderKey}. */
export function isReference(reference: string): boolean {
  return reference !== '' && isMerchant(reference)
}

/** See {@link isOrderKey}. */
export function isMerchant(merchant: string): boolean {
  return merchant.length <= LONGEST && !UNSTORABLE.test(merchant)
}

/** Returns the reference of a report: `''`, which names no order, for one that no order can have. */
export function reportedReference(reference: string): string {
  return isReference(reference) ? reference : ''
}

/** Returns true for a comment that can be compared exactly. Bytes that are not UTF-8 are read as U+FFFD. */
export function isExactComment(comment: string): boolean {
  return comment !== '' && !UNSTORABLE.test(comment) && !comment.includes('\uFFFD')
}

/** Returns a string with U+FFFD for the characters that cannot be stored. */
export function storableText(text: string): string {
  return text.replace(EACH_UNSTORABLE, '\uFFFD')
}
