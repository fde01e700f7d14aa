import { createHash, createHmac } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { verifySignature } from '@tonplug/core'
import { transferCompleted } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { diagnoseSignature, type SignatureQuestion } from './diagnose.js'

const SECRET = 'whsec_abcdefgh'
const PAYLOAD = transferCompleted({ commentToSender: 'Café <1/2>', rawAmount: '10500000000' })
const BODY = JSON.stringify(PAYLOAD)

function sign(body: string | Buffer, key: string | Buffer = SECRET): string {
  return `sha256=${createHmac('sha256', key).update(body).digest('hex')}`
}

function secret(value: string, source = 'TONPAY_WEBHOOK_SECRET') {
  return { source, value, hadLineBreak: false }
}

function codes(question: Partial<SignatureQuestion>): string[] {
  const mistakes = diagnoseSignature({
    body: Buffer.from(BODY),
    signature: sign(BODY),
    secrets: [secret(SECRET)],
    encoding: 'hex',
    ...question,
  })
  for (const { problem, fix } of mistakes) expect(problem + fix).not.toContain(SECRET)
  return mistakes.map(({ code }) => code)
}

const digest = sign(BODY).slice('sha256='.length)
const base64 = Buffer.from(digest, 'hex').toString('base64')

it('finds no mistake in a signature that the receiver accepts', () => {
  expect(codes({})).toEqual([])
  expect(codes({ signature: sign(BODY).replace(digest, digest.toUpperCase()) })).toEqual([])
  expect(codes({ signature: `sha256=${base64}`, encoding: 'base64' })).toEqual([])
  expect(codes({ signature: `X-TonPay-Signature: ${sign(BODY)}` })).toEqual([])
})

it('reports a placeholder instead of the secret, although it signed the body', () => {
  for (const value of ['undefined', '${SECRET}', `"quoted"`]) {
    expect(codes({ secrets: [secret(value)], signature: sign(BODY, value) })).toEqual(['no-secret'])
  }
})

describe('the signature', () => {
  it.each([
    ['digest-base64', `sha256=${base64}`],
    ['digest-base64url', `sha256=${base64.replace('=', '')}`],
    ['digest-base64-of-hex', `sha256=${Buffer.from(digest).toString('base64')}`],
    ['digest-algorithm', `sha256=${'ab'.repeat(64)}`],
    ['digest-length', sign(BODY).slice(0, -1)],
    ['digest-length', 'sha256='],
    ['prefix-other', sign(BODY).replace('sha256', 'SHA256')],
    ['prefix-other', sign(BODY).replace('sha256', 'v1')],
    ['prefix-missing', digest],
    ['signature-wrapped', `"${sign(BODY)}"`],
    ['signature-wrapped', `${sign(BODY)}\n`],
  ])('is encoded with %s: %s', (code, signature) => {
    expect(codes({ signature })).toEqual([code])
    const check = verifySignature(BODY, signature, { secrets: SECRET })
    expect(check.isValid).toBe(false)
  })

  it('is encoded in hex instead of base64', () => {
    expect(codes({ encoding: 'base64' })).toEqual(['digest-hex'])
  })

  it('is base64 without its prefix, which are two mistakes', () => {
    expect(codes({ signature: base64 })).toEqual(['prefix-missing', 'digest-base64'])
    const twice = Buffer.from(digest).toString('base64')
    expect(codes({ signature: twice })).toEqual(['prefix-missing', 'digest-base64-of-hex'])
  })

  it.each([
    ['the body', [BODY]],
    ['the secret and the body', [SECRET, BODY]],
    ['the body and the secret', [BODY, SECRET]],
  ])('is a plain hash of %s', (_, parts) => {
    const hash = createHash('sha256').update(parts.join('')).digest('hex')
    expect(codes({ signature: `sha256=${hash}` })).toEqual(['not-hmac'])
  })
})

describe('the secret', () => {
  it.each([
    ['secret-whitespace', ` ${SECRET}`, SECRET],
    ['secret-whitespace', `${SECRET}\r`, SECRET],
    ['secret-whitespace', `${SECRET} `, `${SECRET} `],
    ['secret-whitespace', SECRET, `${SECRET}\n`],
    ['secret-quotes', `"${SECRET}"`, SECRET],
    ['secret-decoded', 'abcdef0123456789', Buffer.from('abcdef0123456789', 'hex')],
    ['secret-decoded', 'whsec_c2VjcmV0', Buffer.from('secret')],
    ['wrong-secret', 'whsec_other', SECRET],
  ])('has the mistake %s: %j', (code, value, key) => {
    expect(codes({ secrets: [secret(value)], signature: sign(BODY, key) })).toEqual([code])
  })

  it.each([
    ['The secret in secret.txt does not explain the signature, not even with', ['whsec_other']],
    ['None of the 2 secrets explains the signature, not even with', ['whsec_other', 'whsec_more']],
  ])('is not among the given ones: %s', (text, values) => {
    const [first = '', ...others] = values
    const [mistake] = diagnoseSignature({
      body: Buffer.from(BODY),
      signature: sign(BODY),
      secrets: [secret(first, 'secret.txt'), ...others.map((value) => secret(value))],
      encoding: 'hex',
    })
    expect(mistake?.problem).toContain(text)
  })

  it('is another one of the given secrets, which is named', () => {
    const [mistake] = diagnoseSignature({
      body: Buffer.from(BODY),
      signature: sign(BODY),
      secrets: [secret('whsec_new', 'new.txt'), secret(SECRET, 'old.txt')],
      encoding: 'hex',
    })
    expect(mistake).toMatchObject({ code: 'wrong-secret' })
    expect(mistake?.problem).toBe(
      'It was signed with the secret in old.txt, not with the one in new.txt.',
    )
  })
})

describe('the body', () => {
  const ascii = BODY.replace('é', '\\u00e9')
  it.each<[string, string, string | Buffer, string | Buffer]>([
    ['trailing-newline', 'a newline was added', `${BODY}\n`, BODY],
    ['trailing-newline', 'a CRLF was added', `${BODY}\r\n`, BODY],
    ['trailing-newline', 'a newline was lost', BODY, `${BODY}\n`],
    ['trailing-newline', 'a newline became CRLF', `${BODY}\r\n`, `${BODY}\n`],
    ['bom', 'a mark was added', `\uFEFF${BODY}`, BODY],
    ['bom', 'a mark was lost', BODY, `\uFEFF${BODY}`],
    ['line-breaks', 'LF became CRLF', '{\r\n"a":1\r\n}', '{\n"a":1\n}'],
    ['line-breaks', 'CRLF became LF', '{\n"a":1\n}', '{\r\n"a":1\r\n}'],
    ['utf-16', 'PowerShell saved it', Buffer.from(`\uFEFF${BODY}\r\n`, 'utf16le'), BODY],
    ['body-base64', 'a function received it in base64', Buffer.from(BODY).toString('base64'), BODY],
    ['compressed', 'a proxy compressed it', gzipSync(BODY), BODY],
    ['character-set', 'UTF-8 was read as Latin-1', Buffer.from(BODY).toString('latin1'), BODY],
    ['character-set', 'it was written as Latin-1', BODY, Buffer.from(BODY, 'latin1')],
    ['reserialised', 'it was indented', JSON.stringify(PAYLOAD, null, 2), BODY],
    ['reserialised', 'it was indented by 2', BODY, JSON.stringify(PAYLOAD, null, 2)],
    ['reserialised', 'it was indented by tabs', BODY, `${JSON.stringify(PAYLOAD, null, '\t')}\n`],
    ['reserialised', 'Python signed', '{"a":[1,{}],"b":[]}', '{"a": [1, {}], "b": []}'],
    ['reserialised', 'PHP signed', BODY, ascii.replaceAll('/', '\\/')],
    ['reserialised', 'Go signed', BODY, BODY.replace('<', '\\u003c').replace('>', '\\u003e')],
    ['reserialised', 'it was escaped', ascii, BODY],
    ['reserialised', 'the signer wrote 1 for 1.0', '{"a":1.0}', '{"a":1}'],
    [
      'reserialised',
      'the signer sorted the keys',
      '{"b":{"d":1,"c":2},"a":3}',
      '{"a":3,"b":{"c":2,"d":1}}',
    ],
    [
      'reserialised',
      'a long number kept its digits',
      '{ "a":18446744073709551616 }',
      '{"a":18446744073709551616}',
    ],
  ])('has the mistake %s: %s', (code, _, body, signed) => {
    const question = { body: Buffer.from(body), signature: sign(Buffer.from(signed)) }
    expect(codes(question)).toEqual([code])
  })

  it('and the secret have one mistake each', () => {
    const found = codes({ body: Buffer.from(`${BODY}\n`), secrets: [secret(`${SECRET} `)] })
    expect(found).toEqual(['trailing-newline', 'secret-whitespace'])
  })

  it.each([
    ['is empty', ''],
    ['is not JSON', 'reference=order-1'],
    ['is nested deeply', '['.repeat(30_000) + ']'.repeat(30_000)],
    ['is not closed', '{"a":'],
    ['is binary', Buffer.from([0, 255, 254, 128])],
    ['only begins like gzip', Buffer.from([0x1f, 0x8b, 0, 0])],
  ])('%s, and is checked without JSON variants', (_, body) => {
    expect(codes({ body: Buffer.from(body) })).toEqual(['wrong-secret'])
    expect(codes({ body: Buffer.from(body), signature: sign(Buffer.from(body)) })).toEqual([])
  })
})
