import { createHmac } from 'node:crypto'
import { WEBHOOK_DEFAULTS, describeSettingMistake } from '@tonplug/core'
import type { SourcedSecret } from '../secret.js'
import { jsonVariants } from './json-variants.js'
import type { Mistake } from './mistake.js'

/** A received body and signature, and the known secrets. */
export interface SignatureQuestion {
  body: Buffer
  /** The value of the header. */
  signature: string
  /** The secret of the app first, then others to try. */
  secrets: [SourcedSecret, ...SourcedSecret[]]
  /** The encoding of the digest that the receiver expects. */
  encoding: 'hex' | 'base64'
}

/** A value that may have been signed, or signed with. Without a mistake it is the expected one. */
interface Variant {
  value: string | Buffer
  mistake?: Mistake | undefined
}

/** Returns the mistakes that explain why a signature does not match; none when it matches. */
export function diagnoseSignature(question: SignatureQuestion): Mistake[] {
  const { body, signature, secrets, encoding } = question
  const [, prefix, digest = ''] = /^(sha256=)?(.*)$/s.exec(signature.trim()) ?? []
  const written = encodingOf(digest)
  if (written === undefined) return [noDigest(digest)]
  const format = [
    ...(prefix === undefined ? [noPrefix] : []),
    ...(written === encoding ? [] : [otherEncoding(written)]),
  ]
  const found = findSigned(
    Buffer.from(digest, written),
    bodyVariants(body),
    secretVariants(secrets),
  )
  return [...format, ...(found ?? [unexplained(secrets)])]
}

/** Returns the fewest mistakes that explain the digest: none, one of the body or the secret, or both. */
function findSigned(digest: Buffer, bodies: Variant[], keys: Variant[]): Mistake[] | undefined {
  const pairs = keys.flatMap((key) => bodies.map((body) => ({ key, body })))
  const mistakesOf = ({ key, body }: (typeof pairs)[number]) =>
    [body.mistake, key.mistake].filter((mistake) => mistake !== undefined)
  return pairs
    .filter(({ key, body }) =>
      createHmac('sha256', key.value).update(body.value).digest().equals(digest),
    )
    .map(mistakesOf)
    .toSorted((left, right) => left.length - right.length)[0]
}

function encodingOf(digest: string): 'hex' | 'base64' | undefined {
  if (/^[0-9a-f]{64}$/i.test(digest)) return 'hex'
  return /^[A-Za-z0-9+/]{43}=$/.test(digest) ? 'base64' : undefined
}

/** A receiver rejects a longer body. The variants of a body of megabytes would take minutes. */
function bodyVariants(body: Buffer): Variant[] {
  if (body.length > WEBHOOK_DEFAULTS.maxBodyBytes) return [{ value: body }]
  const text = body.toString()
  const trimmed = text.trimEnd()
  const ends = [trimmed, `${trimmed}\n`, `${trimmed}\r\n`]
  return [
    { value: body },
    ...ends.filter((end) => end !== text).map((value) => ({ value, mistake: trailingNewline })),
    ...jsonVariants(text)
      .filter((json) => json !== trimmed)
      .flatMap((json) => [json, `${json}\n`])
      .map((value) => ({ value, mistake: reserialised })),
  ]
}

function secretVariants([expected, ...others]: SignatureQuestion['secrets']): Variant[] {
  const { source, value } = expected
  const bare = value.trim().replace(/^(["'`])(.+)\1$/s, '$2')
  const withoutPrefix = bare.replace(/^whsec_/, '')
  return [
    { value, mistake: invalidSecret(expected) },
    ...(bare === value ? [] : [{ value: bare, mistake: surrounded(source) }]),
    { value: `${bare}\n`, mistake: signedWithNewline },
    ...others.map((other) => ({ value: other.value, mistake: otherSecret(other.source, source) })),
    ...[bare, withoutPrefix].flatMap((text) =>
      (['hex', 'base64'] as const).map((encoding) => ({
        value: Buffer.from(text, encoding),
        mistake: decoded(encoding),
      })),
    ),
  ]
}

/** A receiver rejects such a secret at start, although the signature matches. */
function invalidSecret({ source, value }: SourcedSecret): Mistake | undefined {
  const isTrimmed = value === value.trim()
  const problem = isTrimmed ? describeSettingMistake(value) : 'begins or ends with white space'
  if (problem === undefined) return undefined
  return {
    code: isTrimmed ? 'no-secret' : 'secret-surrounded',
    problem: `The secret in ${source} ${problem}.`,
    fix: 'Set the webhook secret of the merchant dashboard; a receiver of tonplug rejects this value at start.',
  }
}

/** No variant explains the signature, so another secret is the most likely cause. */
function unexplained([first, ...others]: SignatureQuestion['secrets']): Mistake {
  const subject = others.length === 0 ? `The secret in ${first.source}` : 'Each given secret'
  return {
    code: 'wrong-secret',
    problem: `${subject} results in another signature, also after the usual changes of the body. Most likely the gateway signs with another secret. The secret in ${first.source} has ${first.value.length} characters.`,
    fix: 'Copy the webhook secret of this merchant and mode from the dashboard (Developer, then Webhooks), and save the body as received.',
  }
}

function otherSecret(source: string, expected: string): Mistake {
  return {
    code: 'wrong-secret',
    problem: `It was signed with the secret in ${source}, not with the secret in ${expected}.`,
    fix: 'Add that secret to the receiver: secrets: [newSecret, oldSecret]. Test and live mode, and each merchant, have different secrets.',
  }
}

function surrounded(source: string): Mistake {
  return {
    code: 'secret-surrounded',
    problem: `White space or quotes surround the secret in ${source}; the signer does not use them.`,
    fix: 'Remove them where the secret is stored, for example from the env file.',
  }
}

const signedWithNewline: Mistake = {
  code: 'secret-surrounded',
  problem: 'The signer used the secret with a newline at its end, for example that of a file.',
  fix: 'Trim the secret where it is used to sign.',
}

function decoded(encoding: string): Mistake {
  return {
    code: 'secret-decoded',
    problem: `The signer decoded the secret from ${encoding} and used those bytes.`,
    fix: 'Use the secret as the dashboard shows it, in UTF-8, as the key.',
  }
}

const trailingNewline: Mistake = {
  code: 'trailing-newline',
  problem: 'White space at the end of the body, for example a newline, was added or removed.',
  fix: 'Save or pass on the body unchanged; editors, echo and templates add a newline.',
}

const reserialised: Mistake = {
  code: 'reserialised',
  problem:
    'The body was parsed and serialized again: the signed bytes have the same content with other spaces or escapes.',
  fix: 'Keep the received bytes: mount the webhook before express.json(), or use keepRawBody in the parser.',
}

const noPrefix: Mistake = {
  code: 'prefix-missing',
  problem: 'The signature does not begin with "sha256=".',
  fix: 'Find what strips the prefix between the gateway and your app; the gateway sends it, and a receiver requires it.',
}

function otherEncoding(encoding: 'hex' | 'base64'): Mistake {
  return encoding === 'base64'
    ? {
        code: 'digest-base64',
        problem: 'The digest is encoded in base64, not in hex.',
        fix: "If your gateway uses base64, set signatureEncoding: 'base64' in the receiver; if your own code signs, encode the digest in hex.",
      }
    : {
        code: 'digest-hex',
        problem: 'The digest is encoded in hex, not in base64.',
        fix: "Remove signatureEncoding: 'base64' from your receiver, and --encoding here.",
      }
}

function noDigest(value: string): Mistake {
  return {
    code: 'digest-format',
    problem: `The signature has ${value.length} characters after its prefix; an HMAC-SHA256 has 64 hex digits, or 44 characters of base64.`,
    fix: 'Pass the complete value of the header, and sign with HMAC-SHA256.',
  }
}
