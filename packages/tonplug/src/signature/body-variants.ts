import { gunzipSync } from 'node:zlib'
import { WEBHOOK_DEFAULTS } from '@tonplug/core'
import { jsonVariants } from './json-variants.js'
import type { Mistake } from './mistake.js'

/** Bytes that the signer may have signed instead of the given ones. */
export interface BodyVariant {
  bytes: Buffer
  /** Missing for the unchanged bytes. */
  mistake?: Mistake | undefined
}

const BOM = Buffer.from([0xef, 0xbb, 0xbf])
const MAX_UNZIPPED_BYTES = 2 ** 20

/**
 * Returns the unchanged bytes, then the results of common mistakes, the most common first. A body that a receiver rejects for
 * its length has no variants: anyone can send one, and hundreds of long variants take minutes.
 */
export function* bodyVariants(body: Buffer): Generator<BodyVariant> {
  yield { bytes: body }
  if (body.length > WEBHOOK_DEFAULTS.maxBodyBytes) return
  const decoded = [...byteVariants(body)]
  yield* decoded
  const seen = new Set(
    [body, ...decoded.map(({ bytes }) => bytes)].map((bytes) => bytes.toString()),
  )
  for (const variant of jsonVariants(withoutBom(body).toString())) {
    if (!seen.has(variant)) yield { bytes: Buffer.from(variant), mistake: reserialised }
  }
}

function* byteVariants(body: Buffer): Generator<BodyVariant> {
  const text = body.toString()
  for (const bytes of lineEnds(body)) yield { bytes, mistake: trailingNewline }
  const bare = withoutBom(body)
  yield { bytes: bare === body ? Buffer.concat([BOM, body]) : bare, mistake: byteOrderMark }
  yield { bytes: Buffer.from(text.replaceAll(/\r?\n/g, '\n')), mistake: lineBreaks }
  yield { bytes: Buffer.from(text.replaceAll(/\r?\n/g, '\r\n')), mistake: lineBreaks }
  if (body[0] === 0xff && body[1] === 0xfe) {
    const utf8 = Buffer.from(body.subarray(2).toString('utf16le'))
    for (const bytes of [utf8, ...lineEnds(utf8)]) yield { bytes, mistake: utf16 }
  }
  if (/^[\w+/-]+={0,2}\s*$/.test(text))
    yield { bytes: Buffer.from(text, 'base64'), mistake: base64 }
  if (body[0] === 0x1f && body[1] === 0x8b) yield* unzipped(body)
  yield { bytes: Buffer.from(body.toString('latin1')), mistake: characterSet }
  yield { bytes: Buffer.from(text, 'latin1'), mistake: characterSet }
}

function lineEnds(body: Buffer): Buffer[] {
  const text = body.toString('latin1')
  const stripped = text.trimEnd()
  return [text.replace(/\r?\n$/, ''), stripped, `${stripped}\n`, `${stripped}\r\n`].map((variant) =>
    Buffer.from(variant, 'latin1'),
  )
}

function withoutBom(body: Buffer): Buffer {
  return body.subarray(0, BOM.length).equals(BOM) ? body.subarray(BOM.length) : body
}

function* unzipped(body: Buffer): Generator<BodyVariant> {
  try {
    const bytes = gunzipSync(body, { maxOutputLength: MAX_UNZIPPED_BYTES })
    yield { bytes, mistake: compressed }
  } catch {
    // Only the first bytes are those of gzip.
  }
}

const RAW =
  'Keep the received bytes: mount the webhook before express.json(), or use keepRawBody or keepRawBodyInParser.'

const trailingNewline: Mistake = {
  code: 'trailing-newline',
  problem:
    'The bytes differ from the signed ones by white space at their end, for example a newline.',
  fix: 'Save or pass on the body without adding or trimming anything; editors, echo and templates add a newline.',
}
const byteOrderMark: Mistake = {
  code: 'bom',
  problem: 'The bytes differ from the signed ones by a byte order mark (EF BB BF) at their start.',
  fix: 'Use the received bytes; an editor or a decoder adds or strips the mark.',
}
const lineBreaks: Mistake = {
  code: 'line-breaks',
  problem: 'The line breaks were changed between LF and CRLF after signing.',
  fix: 'Move the body as binary data; editors and version control change line breaks.',
}
const utf16: Mistake = {
  code: 'utf-16',
  problem: 'The body was saved as UTF-16; the signed bytes are UTF-8.',
  fix: 'Save it unchanged: `>` of Windows PowerShell writes UTF-16.',
}
const base64: Mistake = {
  code: 'body-base64',
  problem: 'The body is the base64 of the signed bytes.',
  fix: 'Decode it before verification; AWS Lambda marks it with isBase64Encoded.',
}
const compressed: Mistake = {
  code: 'compressed',
  problem: 'The body is compressed with gzip; the signed bytes are those inside.',
  fix: 'Configure the proxy to pass the body unchanged.',
}
const characterSet: Mistake = {
  code: 'character-set',
  problem: 'The body was decoded as Latin-1 and encoded as UTF-8, or the other way round.',
  fix: RAW,
}
const reserialised: Mistake = {
  code: 'reserialised',
  problem:
    'The body was parsed and serialized again: the signed bytes have the same content with other spaces, escapes, numbers or order of keys.',
  fix: RAW,
}
