import { createHmac } from 'node:crypto'
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
})

it('reports a placeholder instead of the secret, although it signed the body', () => {
  for (const value of ['undefined', '${SECRET}', `"quoted"`]) {
    expect(codes({ secrets: [secret(value)], signature: sign(BODY, value) })).toEqual(['no-secret'])
  }
})

describe('the format of the signature', () => {
  it.each([
    [['digest-base64'], `sha256=${base64}`],
    [['digest-format'], `sha256=${'ab'.repeat(64)}`],
    [['digest-format'], sign(BODY).slice(0, -1)],
    [['digest-format'], 'sha256='],
    [['digest-format'], sign(BODY).replace('sha256', 'v1')],
    [['prefix-missing'], digest],
    [['prefix-missing', 'digest-base64'], base64],
  ])('has the mistakes %j: %s', (expected, signature) => {
    expect(codes({ signature })).toEqual(expected)
    const check = verifySignature(BODY, signature, { secrets: SECRET })
    expect(check.isValid).toBe(false)
  })

  it('is hex instead of base64', () => {
    expect(codes({ encoding: 'base64' })).toEqual(['digest-hex'])
  })
})

describe('the secret', () => {
  it.each([
    ['secret-surrounded', ` ${SECRET}`, SECRET],
    ['secret-surrounded', `${SECRET}\r`, SECRET],
    ['secret-surrounded', `${SECRET} `, `${SECRET} `],
    ['secret-surrounded', SECRET, `${SECRET}\n`],
    ['secret-surrounded', `"${SECRET}"`, SECRET],
    ['secret-decoded', 'abcdef0123456789', Buffer.from('abcdef0123456789', 'hex')],
    ['secret-decoded', 'whsec_c2VjcmV0', Buffer.from('secret')],
    ['wrong-secret', 'whsec_other', SECRET],
  ])('has the mistake %s: %j', (code, value, key) => {
    expect(codes({ secrets: [secret(value)], signature: sign(BODY, key) })).toEqual([code])
  })

  it.each([
    ['The secret in secret.txt results in another signature', ['whsec_other']],
    ['Each given secret results in another signature', ['whsec_other', 'whsec_more']],
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
      'It was signed with the secret in old.txt, not with the secret in new.txt.',
    )
  })
})

describe('the body', () => {
  const ascii = BODY.replace('é', '\\u00e9')
  it.each<[string, string, string, string]>([
    ['trailing-newline', 'a newline was added', `${BODY}\n`, BODY],
    ['trailing-newline', 'a CRLF was added', `${BODY}\r\n`, BODY],
    ['trailing-newline', 'a newline was lost', BODY, `${BODY}\n`],
    ['trailing-newline', 'a newline became CRLF', `${BODY}\r\n`, `${BODY}\n`],
    ['reserialised', 'the app indented it', JSON.stringify(PAYLOAD, null, 2), BODY],
    ['reserialised', 'the signer indented it', BODY, `${JSON.stringify(PAYLOAD, null, 2)}\n`],
    ['reserialised', 'PHP signed it', BODY, ascii.replaceAll('/', '\\/')],
    ['reserialised', 'Go signed it', BODY, BODY.replace('<', '\\u003c').replace('>', '\\u003e')],
    ['reserialised', 'the app escaped it', ascii, BODY],
    ['reserialised', 'the signer wrote 1 for 1.0', '{"a":1.0}', '{"a":1}'],
  ])('has the mistake %s: %s', (code, _, body, signed) => {
    expect(codes({ body: Buffer.from(body), signature: sign(signed) })).toEqual([code])
  })

  it('has one mistake, and the secret has another', () => {
    const found = codes({ body: Buffer.from(`${BODY}\n`), secrets: [secret(`${SECRET} `)] })
    expect(found).toEqual(['trailing-newline', 'secret-surrounded'])
  })

  it.each([
    ['is empty', ''],
    ['is not JSON', 'reference=order-1'],
    ['is nested deeply', '['.repeat(30_000) + ']'.repeat(30_000)],
    ['is not closed', '{"a":'],
    ['is binary', Buffer.from([0, 255, 254, 128])],
    ['is longer than a receiver accepts', `[${' '.repeat(2 ** 20)}]`],
  ])('is checked without JSON variants when it %s', (_, body) => {
    expect(codes({ body: Buffer.from(body) })).toEqual(['wrong-secret'])
    expect(codes({ body: Buffer.from(body), signature: sign(Buffer.from(body)) })).toEqual([])
  })

  it('has no variants beyond 64 KiB', () => {
    const signed = `[1,${' '.repeat(65_536)}2]`
    expect(codes({ body: Buffer.from(`${signed}\n`), signature: sign(signed) })).toEqual([
      'wrong-secret',
    ])
  })
})
