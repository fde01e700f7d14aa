// Writes packages/testing/vectors.json: signatures, right and wrong, that every receiver must judge
// alike.
// With --check it compares instead, and fails when the file is not what this script makes. It uses
// node:crypto alone, so that the vectors and the code they test cannot share a mistake.
import { createHmac } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'

const FILE = new URL('../packages/testing/vectors.json', import.meta.url)
const SECRET = 'whsec_vector_secret'
const OTHER_SECRET = 'whsec_another_secret'

const plainBody = JSON.stringify({
  event: 'transfer.completed',
  timestamp: '2026-01-05T12:00:00.000Z',
  data: { reference: 'order-1', rawAmount: '10500000000', status: 'success' },
})

const oddBodies = {
  'plain JSON': plainBody,
  'S13 spaces and line breaks': '{ "event" :\t"transfer.completed",\r\n  "data" : { } }',
  'S13 a trailing newline': `${plainBody}\n`,
  'S13 a fraction that ends in zero': '{"amount":1.0}',
  'S13 non-ASCII text': '{"commentToSender":"Žluťoučký кофе 漢字 💎"}',
  'S13 escaped non-ASCII text': '{"commentToSender":"caf\\u00e9 \\ud83d\\udc8e"}',
  'S13 escaped slashes': '{"url":"https:\\/\\/example.com\\/"}',
  'S13 integers above 2^64': '{"rawAmount":18446744073709551616,"lt":18446744073709551617}',
  'S13 duplicate keys': '{"reference":"order-1","reference":"order-2"}',
  'S13 integer-like keys out of order': '{"b":1,"10":2,"9":3,"a":4}',
  'S14 bytes that are not UTF-8': Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0xc0, 0x80, 0x22, 0x7d]),
  'S15 an empty body': '',
  'S15 a byte order mark': `\ufeff${plainBody}`,
  'S15 null': 'null',
  'S15 an empty array': '[]',
  'S16 a __proto__ key': '{"__proto__":{"isAdmin":true},"constructor":{}}',
  'a NUL byte': '{"reference":"order\u0000"}',
  '64 KiB': 'x'.repeat(65_536),
}

const oddSecrets = {
  'a secret longer than the block of the hash': `whsec_${'k'.repeat(100)}`,
  'a secret of non-ASCII text': 'whsec_ключ_🔑',
  'a secret with a blank inside': 'whsec_two words',
}

const right = hmac(SECRET, plainBody)
const rightBase64 = hmac(SECRET, plainBody, 'base64')
const flippedDigit = (right.startsWith('0') ? '1' : '0') + right.slice(1)
const lastFlipped = right.slice(0, -1) + (right.endsWith('0') ? '1' : '0')

/** Signature header values that must not pass for `plainBody`, in hex; null is an absent header. */
const wrongInHex = [
  ['S3 no header', null, 'missing'],
  ['S3 an empty header', '', 'missing'],
  ['S3 white space as header', '  ', 'malformed'],
  ['S3 no values', [], 'malformed'],
  ['S3 the right value repeated', [`sha256=${right}`, `sha256=${right}`], 'malformed'],
  [
    'S3 the right value and a wrong one',
    [`sha256=${right}`, `sha256=${flippedDigit}`],
    'malformed',
  ],
  ['S3 two values joined by a comma', `sha256=${right}, sha256=${right}`, 'malformed'],
  ['S4 no prefix', right, 'malformed'],
  ['S4 the prefix alone', 'sha256=', 'malformed'],
  ['S4 an upper-case prefix', `SHA256=${right}`, 'malformed'],
  ['S4 a prefix of another hash', `sha512=${right}`, 'malformed'],
  ['S4 the prefix twice', `sha256=sha256=${right}`, 'malformed'],
  ['S4 a colon in the prefix', `sha256:${right}`, 'malformed'],
  ['S5 62 digits', `sha256=${right.slice(0, 62)}`, 'malformed'],
  ['S5 63 digits', `sha256=${right.slice(0, 63)}`, 'malformed'],
  ['S5 65 digits', `sha256=${right}0`, 'malformed'],
  ['S5 66 digits', `sha256=${right}00`, 'malformed'],
  ['S5 the digest twice', `sha256=${right}${right}`, 'malformed'],
  ['S5 a character that is no digit', `sha256=${right.slice(0, 63)}g`, 'malformed'],
  ['S5 colons between the pairs', `sha256=${right.match(/../g).join(':')}`, 'malformed'],
  ['S5 a blank within the digits', `sha256=${right.slice(0, 32)} ${right.slice(33)}`, 'malformed'],
  ['S5 0x before the digits', `sha256=0x${right}`, 'malformed'],
  ['S5 a trailing newline', `sha256=${right}\n`, 'malformed'],
  ['S5 a trailing NUL', `sha256=${right}\u0000`, 'malformed'],
  ['S5 full-width digits', `sha256=${'０'.repeat(64)}`, 'malformed'],
  ['S5 64 zeroes', `sha256=${'0'.repeat(64)}`, 'mismatch'],
  ['S5 base64 of 33 bytes', `sha256=${'A'.repeat(44)}`, 'malformed'],
  ['the right digest in base64', `sha256=${rightBase64}`, 'malformed'],
  ['S2 the first digit changed', `sha256=${flippedDigit}`, 'mismatch'],
  ['S2 the last digit changed', `sha256=${lastFlipped}`, 'mismatch'],
  ['S9 signed with an empty key', `sha256=${hmac('', plainBody)}`, 'mismatch'],
  [
    'S9 signed with the secret and a newline',
    `sha256=${hmac(`${SECRET}\n`, plainBody)}`,
    'mismatch',
  ],
  ['S10 signed with another secret', `sha256=${hmac(OTHER_SECRET, plainBody)}`, 'mismatch'],
  [
    'signed with the secret in upper case',
    `sha256=${hmac(SECRET.toUpperCase(), plainBody)}`,
    'mismatch',
  ],
  ['S2 made for the body and a newline', `sha256=${hmac(SECRET, `${plainBody}\n`)}`, 'mismatch'],
  [
    'S2 made for the body without its last byte',
    `sha256=${hmac(SECRET, plainBody.slice(0, -1))}`,
    'mismatch',
  ],
  ['S2 made for an empty body', `sha256=${hmac(SECRET, '')}`, 'mismatch'],
]

const wrongInBase64 = [
  ['base64: hex digits in place of base64', `sha256=${right}`, 'malformed'],
  ['base64: no padding', `sha256=${rightBase64.slice(0, 43)}`, 'malformed'],
  ['base64: 44 characters of 33 bytes', `sha256=${rightBase64.slice(0, 43)}A`, 'malformed'],
  ['base64: the URL-safe alphabet', `sha256=${'-_'.repeat(21)}A=`, 'malformed'],
  ['base64: another secret', `sha256=${hmac(OTHER_SECRET, plainBody, 'base64')}`, 'mismatch'],
  ['base64: the case of the letters changed', `sha256=${swapCase(rightBase64)}`, 'mismatch'],
]

const text = `${JSON.stringify({ description: describe(), vectors: makeVectors() }, null, 2)}\n`
if (process.argv.includes('--check')) {
  if (readFileSync(FILE, 'utf8') !== text) {
    console.error('packages/testing/vectors.json is stale: run node scripts/generate-vectors.mjs')
    process.exitCode = 1
  }
} else {
  writeFileSync(FILE, text)
}

function describe() {
  return (
    'Signatures of webhook bodies: HMAC-SHA256 over the bytes of bodyBase64 with the UTF-8 bytes ' +
    'of secret. signature is the value of the header; null: there is none; an array: it was sent ' +
    'that many times. ' +
    'encoding is how the receiver expects the digest after "sha256=".'
  )
}

function makeVectors() {
  return [
    ...Object.entries(oddBodies).map(([name, body]) => valid({ name, body })),
    ...Object.entries(oddSecrets).map(([name, secret]) => valid({ name, secret })),
    valid({ name: 'S6 upper-case hex', signature: `sha256=${right.toUpperCase()}` }),
    valid({ name: 'S6 mixed-case hex', signature: `sha256=${mixCase(right)}` }),
    valid({ name: 'base64: plain JSON', encoding: 'base64' }),
    valid({ name: 'base64: bytes that are not UTF-8', body: Buffer.of(0xff), encoding: 'base64' }),
    ...wrongInHex.map((wrong) => invalid(wrong, 'hex')),
    ...wrongInBase64.map((wrong) => invalid(wrong, 'base64')),
    changedBody(),
  ]
}

function valid({ name, body = plainBody, secret = SECRET, encoding = 'hex', signature }) {
  return {
    name,
    secret,
    bodyBase64: Buffer.from(body).toString('base64'),
    signature: signature ?? `sha256=${hmac(secret, body, encoding)}`,
    encoding,
    expected: { isValid: true },
  }
}

function invalid([name, signature, reason], encoding) {
  const expected = { isValid: false, reason }
  return { ...valid({ name, encoding }), signature, expected }
}

function changedBody() {
  const bytes = Buffer.from(plainBody)
  bytes[bytes.length >> 1] ^= 1
  const name = 'S2 one bit of the body changed'
  const expected = { isValid: false, reason: 'mismatch' }
  return { ...valid({ name, body: bytes }), signature: `sha256=${right}`, expected }
}

function hmac(secret, body, encoding = 'hex') {
  return createHmac('sha256', secret).update(body).digest(encoding)
}

function mixCase(hex) {
  return hex.replaceAll(/./g, (digit, index) => (index % 2 === 0 ? digit.toUpperCase() : digit))
}

function swapCase(letters) {
  return letters.replaceAll(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
}
