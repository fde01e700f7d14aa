import { gunzipSync } from 'node:zlib'
import { jsonSpellings } from './json-spellings.js'
import type { Mistake } from './mistake.js'

/** Bytes that the signer may have signed in place of those at hand. */
export interface BodyVariant {
  bytes: Buffer
  /** Missing for the bytes as they are. */
  mistake?: Mistake | undefined
}

const BOM = Buffer.from([0xef, 0xbb, 0xbf])
const MAX_UNZIPPED_BYTES = 2 ** 20

/** The bytes as they are, then what is usually done to them, the usual things first. */
export function* bodyVariants(body: Buffer): Generator<BodyVariant> {
  yield { bytes: body }
  const decoded = [...byteVariants(body)]
  yield* decoded
  const seen = new Set(
    [body, ...decoded.map(({ bytes }) => bytes)].map((bytes) => bytes.toString()),
  )
  for (const spelling of jsonSpellings(withoutBom(body).toString())) {
    if (!seen.has(spelling)) yield { bytes: Buffer.from(spelling), mistake: reserialised }
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
  const stripped = text.replace(/\s+$/, '')
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
    // It only begins like one.
  }
}

const RAW =
  'Keep the bytes as they arrive: mount the webhook ahead of express.json(), or use captureRawBody or saveRawBody.'

const trailingNewline: Mistake = {
  code: 'trailing-newline',
  problem: 'The bytes differ from the signed ones by white space at their end, such as a newline.',
  fix: 'Save or pass on the body without adding or trimming anything; editors, echo and templates add a newline.',
}
const byteOrderMark: Mistake = {
  code: 'bom',
  problem: 'The bytes differ from the signed ones by a byte order mark (EF BB BF) at their start.',
  fix: 'Take the bytes as they arrive; an editor or a decoder adds or strips the mark.',
}
const lineBreaks: Mistake = {
  code: 'line-breaks',
  problem: 'The line breaks were changed between LF and CRLF after signing.',
  fix: 'Move the body as binary data; editors and version control change line breaks.',
}
const utf16: Mistake = {
  code: 'utf-16',
  problem: 'The body was saved as UTF-16; the signed bytes are UTF-8.',
  fix: 'Save it as it came: `>` of Windows PowerShell writes UTF-16.',
}
const base64: Mistake = {
  code: 'body-base64',
  problem: 'The body is the base64 of the signed bytes.',
  fix: 'Decode it before checking; AWS Lambda says so with isBase64Encoded.',
}
const compressed: Mistake = {
  code: 'compressed',
  problem: 'The body is compressed with gzip; the signed bytes are those inside.',
  fix: 'Let the proxy pass the body as it came.',
}
const characterSet: Mistake = {
  code: 'character-set',
  problem: 'The body was decoded as Latin-1 and written as UTF-8, or the other way round.',
  fix: RAW,
}
const reserialised: Mistake = {
  code: 'reserialised',
  problem:
    'The body was parsed and written as JSON again: the signed bytes have the same content with other spaces, escapes, numbers or order of keys.',
  fix: RAW,
}
