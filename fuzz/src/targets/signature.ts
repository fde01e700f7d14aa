import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import {
  verifySignature,
  type SignatureEncoding,
} from '../../../packages/core/src/payments/webhook/signature.js'
import { repeat, type Target } from '../target.js'

const SECRET = 'fuzz secret'

/**
 * The first byte selects how the header is generated, the second which of its characters is changed. A header that is part
 * of the input ends at the first line break; the body follows.
 */
export const signatureTarget: Target = {
  name: 'signature',
  words: ['sha256=', 'SHA256=', '0'.repeat(64), `${'A'.repeat(43)}=`, ',', ' ', '\0', '\n'],
  grow: { body: (bytes) => repeat('x', bytes), header: (bytes) => repeat('\0\0sha256=', bytes) },
  check(input) {
    const [mode = 0, at = 0] = input
    const rest = Buffer.from(input.subarray(2))
    const encoding: SignatureEncoding = (mode & 1) === 0 ? 'hex' : 'base64'
    const lineEnd = rest.indexOf(0x0a)
    const isWritten = (mode & 2) === 0
    const body = isWritten && lineEnd !== -1 ? rest.subarray(lineEnd + 1) : rest
    const right = `sha256=${createHmac('sha256', SECRET).update(body).digest(encoding)}`
    const header = isWritten
      ? rest.subarray(0, Math.max(0, lineEnd)).toString('latin1')
      : change(right, mode >> 2, at)
    const { isValid } = verifySignature(body, header, { secrets: SECRET, encoding })
    const given =
      encoding === 'hex' ? `${header.slice(0, 7)}${header.slice(7).toLowerCase()}` : header
    assert.equal(isValid, given === right, 'the result differs from that of node:crypto')
  },
}

/** Returns a string unchanged, in upper case, or with one character replaced, duplicated or removed. */
function change(text: string, how: number, where: number): string {
  const at = where % text.length
  switch (how % 6) {
    case 1:
      return text.toUpperCase()
    case 2:
      return text.slice(0, at) + text.slice(at + 1)
    case 3:
      return text.slice(0, at) + text.charAt(at) + text.slice(at)
    case 4:
      return text.slice(0, at) + String.fromCharCode((how * 7) % 256) + text.slice(at + 1)
    case 5:
      return text.slice(0, 7) + text.slice(7).toUpperCase()
    default:
      return text
  }
}
