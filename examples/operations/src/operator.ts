import { createHash, timingSafeEqual } from 'node:crypto'

/**
 * Returns the operator whose browser sent the password of the desk: the user name of Basic authentication.
 * Returns `false` for any other header, and for every header when no password is set.
 */
export function operatorOf(
  authorization: string | null | undefined,
  password: string,
): false | { operator: string } {
  const [, encoded = ''] = /^Basic ([\w+/=-]+)$/i.exec(authorization ?? '') ?? []
  const credentials = Buffer.from(encoded, 'base64').toString('utf8')
  const [operator = ''] = credentials.split(':', 1)
  const isCorrect = isEqual(credentials.slice(operator.length + 1), password)
  return password !== '' && operator !== '' && isCorrect && { operator }
}

/** Compares digests, which have equal lengths, so that the time reveals nothing about the password. */
function isEqual(one: string, other: string): boolean {
  return timingSafeEqual(digestOf(one), digestOf(other))
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
