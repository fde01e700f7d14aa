import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import { transferCompleted } from '../payloads.js'
import { exchangeRaw } from './raw-exchange.js'
import { assertAnswer, type WebhookSuite } from './webhook-shop.js'
import {
  BODY,
  bytes,
  carrier,
  chunk,
  CHUNKED,
  join,
  LENGTH,
  post,
  signed,
  SIGNATURE,
  SIGNED,
  signedPost,
  text,
  withBody,
  type Write,
} from './wire-requests.js'

const GZIPPED = gzipSync(BODY)

/** The bytes that follow are invalid. A server that detects this first need not respond to the request before them. */
const EARLY = ['401 400', '400']

interface WireCase {
  send: Write
  /** Accepted lists of statuses, in sequence. The last 405 belongs to the last request. */
  answers: readonly string[]
  /** True when the server closes the connection after it, so that nothing may follow. @default false */
  isLast?: boolean
}

/** Requests whose end or whose signature servers and proxies may interpret differently. */
const CASES: Record<string, WireCase> = {
  'a signature header that is sent twice': {
    send: post([SIGNED, SIGNED, LENGTH]),
    answers: ['401 405'],
  },
  'an empty signature header before the correct one': {
    send: post(['X-TonPay-Signature:', SIGNED, LENGTH]),
    answers: ['401 405'],
  },
  'a list of signatures': {
    send: post([`${SIGNED}, ${SIGNATURE}`, LENGTH]),
    answers: ['401 405'],
  },
  'a signature header written with underscores': {
    send: post([`X_TonPay_Signature: ${SIGNATURE}`, LENGTH]),
    answers: ['401 405'],
  },
  'a space before the colon of the signature': {
    send: post([`X-TonPay-Signature : ${SIGNATURE}`, LENGTH]),
    answers: ['400'],
  },
  'spaces and tabs around the signature': {
    send: post([`X-TonPay-Signature: \t ${SIGNATURE}\t `, LENGTH]),
    answers: ['200 405'],
  },
  'a no-break space after the signature': {
    send: post([`${SIGNED}\u00a0`, LENGTH]),
    answers: ['401 405', '400'],
  },
  'a NUL after the signature': { send: post([`${SIGNED}\0`, LENGTH]), answers: ['400'] },
  'a signature on a folded line': {
    send: post([`X-TonPay-Signature:\r\n ${SIGNATURE}`, LENGTH]),
    answers: ['400', '401 405', '200 405'],
  },
  'a signature that continues on a folded line': {
    send: post([`${SIGNED}\r\n ,${SIGNATURE}`, LENGTH]),
    answers: ['400', '401 405'],
  },
  'a signature in a trailer': {
    send: post([CHUNKED, 'Trailer: X-TonPay-Signature'], chunk(BODY, SIGNED)),
    answers: ['401 405'],
  },
  'another signature in a trailer': {
    send: post([SIGNED, CHUNKED], chunk(BODY, 'X-TonPay-Signature: sha256=00')),
    answers: ['200 405'],
  },
  'chunk extensions': {
    send: post([SIGNED, CHUNKED], chunk(BODY).replace('\r\n', ';name="value";x\r\n')),
    answers: ['200 405'],
  },
  'an invalid chunk size': {
    send: post([SIGNED, CHUNKED], `0x${chunk(BODY)}`),
    answers: ['400', '400 400', '401 400'],
  },
  'a chunk size above every limit': {
    send: post([SIGNED, CHUNKED], `FFFFFFFFFFFFFFFFF\r\n${BODY}`),
    answers: ['400', '400 400', '408', '413'],
  },
  'two content lengths that agree': {
    send: post([SIGNED, LENGTH, LENGTH]),
    answers: ['400', '200 405'],
  },
  'two content lengths that differ': {
    send: post([SIGNED, 'Content-Length: 5', LENGTH]),
    answers: ['400'],
  },
  'a content length with a sign': {
    send: post([SIGNED, `Content-Length: +${BODY.length}`]),
    answers: ['400'],
  },
  'a content length and chunks, where the length ends before a request': {
    send: post([CHUNKED, 'Content-Length: 5'], (path) => `0\r\n\r\n${signedPost(path)}`),
    // A server may not accept both lengths.
    answers: ['400'],
  },
  'a content length and chunks, where the chunk contains a request': {
    send: post([CHUNKED, 'Content-Length: 4'], (path) => chunk(signedPost(path))),
    answers: ['400', '401 405', '401'],
  },
  'an unknown transfer coding': {
    send: post([SIGNED, 'Transfer-Encoding: xchunked', LENGTH]),
    answers: ['400', '501'],
  },
  'chunks that are not the last transfer coding': {
    send: post([SIGNED, 'Transfer-Encoding: chunked, identity'], chunk(BODY)),
    answers: ['400', '501'],
  },
  'a gzip transfer coding of the signed body': {
    send: post([SIGNED, 'Transfer-Encoding: gzip, chunked'], chunk(GZIPPED)),
    answers: ['401 405', '400', '501'],
  },
  'a gzip content coding, signed before': {
    send: post([SIGNED, 'Content-Encoding: gzip', `Content-Length: ${GZIPPED.length}`], GZIPPED),
    answers: ['415'],
  },
  'a gzip content coding, signed after': {
    send: post(
      [signed(GZIPPED), 'Content-Encoding: gzip', `Content-Length: ${GZIPPED.length}`],
      GZIPPED,
    ),
    answers: ['415'],
  },
  'a content length that ends too early': {
    send: post([SIGNED, `Content-Length: ${BODY.length - 1}`]),
    answers: EARLY,
  },
  'a content length that reaches into the next request': {
    send: post([SIGNED, `Content-Length: ${BODY.length + 5}`]),
    answers: EARLY,
  },
  'a content length of 0': { send: post([SIGNED, 'Content-Length: 0']), answers: EARLY },
  'no length': { send: post([SIGNED]), answers: [...EARLY, '411'] },
  'Expect: 100-continue': {
    send: post([SIGNED, LENGTH, 'Expect: 100-continue']),
    answers: ['200 405'],
  },
  'another expectation': {
    send: post([SIGNED, LENGTH, 'Expect: 200-ok']),
    answers: ['417 405', '417', '200 405'],
  },
  'an unsupported upgrade': {
    send: post([SIGNED, LENGTH, 'Connection: upgrade, close', 'Upgrade: h2c']),
    answers: ['200'],
    isLast: true,
  },
  'an absolute URL': {
    send: post([SIGNED, LENGTH], BODY, (path) => `POST http://shop.example${path} HTTP/1.1`),
    answers: ['200 405', '404 405', '400 405'],
  },
  'a path whose letters are escaped': {
    send: post(
      [SIGNED, LENGTH],
      BODY,
      (path) => `POST ${path.replace(/.$/, (last) => `%${hex(last)}`)} HTTP/1.1`,
    ),
    answers: ['200 405', '404 405'],
  },
  'a path with a broken escape': {
    send: post([SIGNED, LENGTH], BODY, (path) => `POST ${path}%zz HTTP/1.1`),
    answers: ['404 405', '400 405', '200 405'],
  },
  'HTTP/1.0': {
    send: post([SIGNED, LENGTH], BODY, (path) => `POST ${path} HTTP/1.0`),
    answers: ['200'],
    isLast: true,
  },
  'a method in lower case': {
    send: post([SIGNED, LENGTH], BODY, (path) => `post ${path} HTTP/1.1`),
    answers: ['400', '405 405'],
  },
  'another method with X-HTTP-Method-Override: POST': {
    send: post(
      [SIGNED, LENGTH, 'X-HTTP-Method-Override: POST'],
      BODY,
      (path) => `PUT ${path} HTTP/1.1`,
    ),
    answers: ['405 405'],
  },
  'lines that end without a carriage return': {
    send: (path) => bytes(text(post([SIGNED, LENGTH])(path)).replaceAll('\r\n', '\n')),
    answers: ['400', '200 405'],
  },
  'headers that are too long': {
    send: post([SIGNED, LENGTH, `X-Long: ${'x'.repeat(100_000)}`]),
    answers: ['431', '400', ''],
  },
  'a forged request and a correct one in one write': {
    send: (path) =>
      join(post([SIGNED, LENGTH], BODY.replace('order-1', 'order-2'))(path), signedPost(path)),
    answers: ['401 200 405'],
  },
  'the same request twice in one write': {
    send: (path) => join(signedPost(path), signedPost(path)),
    answers: ['200 200 405'],
  },
  'a signed body in UTF-16': {
    send: withBody(Buffer.from(BODY, 'utf16le')),
    answers: ['400 405'],
  },
  'a signed body with a lone surrogate in UTF-8': {
    send: withBody(Buffer.from(BODY.replace('Order 1', '\u00ed\u00a0\u0080'), 'latin1')),
    answers: ['400 405'],
  },
  'a signed body with an overlong encoding of /': {
    send: withBody(Buffer.from(BODY.replace('Order 1', '\u00c0\u00af'), 'latin1')),
    answers: ['400 405'],
  },
  'a signed body whose reference is in a prototype key': {
    send: withBody(
      Buffer.from(BODY.replace('"reference":"order-1"', '"__proto__":{"reference":"order-1"}')),
    ),
    answers: ['400 405'],
  },
  'a signed body with numbers above every limit': {
    send: withBody(Buffer.from(BODY.replace('"date"', '"errorCode":1e999,"x":-1E+9999,"date"'))),
    answers: ['200 405'],
  },
}

/** Refused requests whose body contains a correctly signed request. */
const CARRIERS: Record<string, WireCase> = {
  'without a signature': { send: carrier([]), answers: ['401 405'] },
  'with a wrong signature': { send: carrier([SIGNED]), answers: ['401 405'] },
  'of another method': { send: carrier([SIGNED], 'PUT'), answers: ['405 405'] },
  'of another content encoding': {
    send: carrier([SIGNED, 'Content-Encoding: br']),
    answers: ['415', '415 405'],
  },
  'with a body that is too long': {
    send: carrier([SIGNED], 'POST', 70_000),
    answers: ['413', '413 405'],
  },
  'with a chunked body that is too long': {
    send: post([SIGNED, CHUNKED], (path) => chunk(' '.repeat(70_000) + signedPost(path))),
    answers: ['413', '413 405'],
  },
}

/**
 * Unsigned bytes change nothing, whatever their framing, and the server continues. Each case is written to a socket without a
 * change, followed by one request that closes the connection.
 */
export function describeWire(suite: WebhookSuite): void {
  const { describe } = suite
  describe('on the wire', () => {
    for (const [what, wireCase] of Object.entries(CASES)) testWire(suite, what, wireCase)
  })
  describe('reads no request from the body of a refused one', () => {
    for (const [what, wireCase] of Object.entries(CARRIERS)) testWire(suite, what, wireCase)
  })
}

function testWire(
  { test }: WebhookSuite,
  what: string,
  { send, answers, isLast = false }: WireCase,
): void {
  test(what, async ({ url, post: postSigned, decisions }) => {
    const { hostname, port, pathname } = new URL(url)
    const host = hostname.replace(/^\[(.*)\]$/, '$1')
    const last = `GET ${pathname} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`
    const sent = join(send(pathname), isLast ? '' : last)
    const got = await exchangeRaw({ host, port: Number(port) }, sent)
    const statuses = got.map(({ status }) => status)
    assert.ok(
      answers.includes(statuses.join(' ')),
      `expected ${answers.join(' or ')}; received ${statuses.join(' ')}`,
    )
    const taken = statuses.filter((status) => status < 300).length
    assert.deepEqual(decisions, ['paid', 'duplicate'].slice(0, taken))
    assertAnswer(await postSigned(transferCompleted()), 200)
    assert.equal(decisions.length, taken + 1)
  })
}

function hex(character: string): string {
  return character.charCodeAt(0).toString(16)
}
