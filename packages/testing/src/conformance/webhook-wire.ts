import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import { transferCompleted } from '../payloads.js'
import { signPayload } from '../sign.js'
import { exchangeRaw } from './raw-exchange.js'
import type { Suite } from './runner.js'
import type { WebhookAdapterHarness } from './webhook-adapter.js'
import { assertAnswer, SECRET, withShop } from './webhook-shop.js'

const { body: BODY, signature: SIGNATURE } = signPayload(transferCompleted(), SECRET)
const SIGNED = `X-TonPay-Signature: ${SIGNATURE}`
const LENGTH = `Content-Length: ${BODY.length}`
// Of no other type does every parser leave a body alone.
const TYPE = 'Content-Type: text/plain'
const CHUNKED = 'Transfer-Encoding: chunked'
const GZIPPED = gzipSync(BODY)

/** What follows is no request; a server that finds out first need not answer the one ahead of it. */
const EARLY = ['401 400', '400']

/** Bytes for the webhook's path. */
type Write = (path: string) => Uint8Array

interface WireCase {
  send: Write
  /** The lists of statuses that are right, in the order of the answers; the last 405 is that of the last request. */
  answers: readonly string[]
  /** Whether the connection ends with it, so that nothing may follow. @default false */
  isLast?: boolean
}

/** Requests of which servers and proxies may disagree where they end, and what signs them. */
const CASES: Record<string, WireCase> = {
  'a signature header that is sent twice': {
    send: post([SIGNED, SIGNED, LENGTH]),
    answers: ['401 405'],
  },
  'an empty signature header ahead of the right one': {
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
  'a blank ahead of the colon of the signature': {
    send: post([`X-TonPay-Signature : ${SIGNATURE}`, LENGTH]),
    answers: ['400'],
  },
  'blanks and tabs around the signature': {
    send: post([`X-TonPay-Signature: \t ${SIGNATURE}\t `, LENGTH]),
    answers: ['200 405'],
  },
  'a no-break space behind the signature': {
    send: post([`${SIGNED}\u00a0`, LENGTH]),
    answers: ['401 405', '400'],
  },
  'a NUL behind the signature': { send: post([`${SIGNED}\0`, LENGTH]), answers: ['400'] },
  'a signature on a folded line': {
    send: post([`X-TonPay-Signature:\r\n ${SIGNATURE}`, LENGTH]),
    answers: ['400', '401 405', '200 405'],
  },
  'a signature that a folded line goes on with': {
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
  'a chunk size that is none': {
    send: post([SIGNED, CHUNKED], `0x${chunk(BODY)}`),
    answers: ['400', '400 400', '401 400'],
  },
  'a chunk size beyond every number': {
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
  'a content length and chunks, the length ending ahead of a request': {
    send: post([CHUNKED, 'Content-Length: 5'], (path) => `0\r\n\r\n${signedPost(path)}`),
    // Only a server that says which of the two counts may go on, and then the second request is one.
    answers: ['400'],
  },
  'a content length and chunks, the chunk holding a request': {
    send: post([CHUNKED, 'Content-Length: 4'], (path) => chunk(signedPost(path))),
    answers: ['400', '401 405', '401'],
  },
  'a transfer coding that is none': {
    send: post([SIGNED, 'Transfer-Encoding: xchunked', LENGTH]),
    answers: ['400', '501'],
  },
  'chunks that are not the last transfer coding': {
    send: post([SIGNED, 'Transfer-Encoding: chunked, identity'], chunk(BODY)),
    answers: ['400', '501'],
  },
  'a gzipped transfer of the signed body': {
    send: post([SIGNED, 'Transfer-Encoding: gzip, chunked'], chunk(GZIPPED)),
    answers: ['401 405', '400', '501'],
  },
  'a gzipped content, signed before': {
    send: post([SIGNED, 'Content-Encoding: gzip', `Content-Length: ${GZIPPED.length}`], GZIPPED),
    answers: ['415'],
  },
  'a gzipped content, signed after': {
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
  'a content length of none': { send: post([SIGNED, 'Content-Length: 0']), answers: EARLY },
  'no length at all': { send: post([SIGNED]), answers: [...EARLY, '411'] },
  'Expect: 100-continue': {
    send: post([SIGNED, LENGTH, 'Expect: 100-continue']),
    answers: ['200 405'],
  },
  'another expectation': {
    send: post([SIGNED, LENGTH, 'Expect: 200-ok']),
    answers: ['417 405', '417', '200 405'],
  },
  'an upgrade that nobody offers': {
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
  'another method that asks to be taken for POST': {
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
  'headers longer than servers take': {
    send: post([SIGNED, LENGTH, `X-Long: ${'x'.repeat(100_000)}`]),
    answers: ['431', '400', ''],
  },
  'a forged request and a right one, at once': {
    send: (path) =>
      join(post([SIGNED, LENGTH], BODY.replace('order-1', 'order-2'))(path), signedPost(path)),
    answers: ['401 200 405'],
  },
  'the same request twice, at once': {
    send: (path) => join(signedPost(path), signedPost(path)),
    answers: ['200 200 405'],
  },
  'a signed body in UTF-16': {
    send: withBody(Buffer.from(BODY, 'utf16le')),
    answers: ['400 405'],
  },
  'a signed body with half of a pair in UTF-8': {
    send: withBody(Buffer.from(BODY.replace('Order 1', '\u00ed\u00a0\u0080'), 'latin1')),
    answers: ['400 405'],
  },
  'a signed body with an overlong spelling of /': {
    send: withBody(Buffer.from(BODY.replace('Order 1', '\u00c0\u00af'), 'latin1')),
    answers: ['400 405'],
  },
  'a signed body whose reference only a prototype key has': {
    send: withBody(
      Buffer.from(BODY.replace('"reference":"order-1"', '"__proto__":{"reference":"order-1"}')),
    ),
    answers: ['400 405'],
  },
  'a signed body with numbers beyond every number': {
    send: withBody(Buffer.from(BODY.replace('"date"', '"errorCode":1e999,"x":-1E+9999,"date"'))),
    answers: ['200 405'],
  },
}

/** What a refused request carries is its body, and never a request. */
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
 * What is not signed changes nothing, however it is wrapped, and the server goes on: each case is written to a socket
 * as it is, ahead of one more request that ends the connection.
 */
export function describeWire(suite: Suite<WebhookAdapterHarness>): void {
  const { describe } = suite.runner
  describe('on the wire', () => {
    for (const [what, wireCase] of Object.entries(CASES)) itStandsFast(suite, what, wireCase)
  })
  describe('takes no request out of the body of a refused one', () => {
    for (const [what, wireCase] of Object.entries(CARRIERS)) itStandsFast(suite, what, wireCase)
  })
}

function itStandsFast(
  { makeHarness, runner }: Suite<WebhookAdapterHarness>,
  what: string,
  { send, answers, isLast = false }: WireCase,
): void {
  runner.it(what, () =>
    withShop(makeHarness, {}, async ({ url, post: postSigned, decisions }) => {
      const { hostname, port, pathname } = new URL(url)
      const host = hostname.replace(/^\[(.*)\]$/, '$1')
      const last = `GET ${pathname} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`
      const sent = join(send(pathname), isLast ? '' : last)
      const got = await exchangeRaw({ host, port: Number(port) }, sent)
      const statuses = got.map(({ status }) => status)
      assert.ok(
        answers.includes(statuses.join(' ')),
        `it is ${statuses.join(' ')} in place of ${answers.join(' or ')}`,
      )
      const taken = statuses.filter((status) => status < 300).length
      assert.deepEqual(decisions, ['paid', 'duplicate'].slice(0, taken))
      assertAnswer(await postSigned(transferCompleted()), 200)
      assert.equal(decisions.length, taken + 1)
    }),
  )
}

type Part = string | Uint8Array
type PartOf = Part | ((path: string) => Part)

function post(
  headers: readonly string[],
  body: PartOf = BODY,
  line: (path: string) => string = (path) => `POST ${path} HTTP/1.1`,
): Write {
  return (path) => {
    const head = [line(path), 'Host: x', TYPE, ...headers, '', ''].join('\r\n')
    return join(head, typeof body === 'function' ? body(path) : body)
  }
}

function withBody(body: Uint8Array): Write {
  return post([signed(body), `Content-Length: ${body.length}`], body)
}

/** A request with a well-signed one in its body. */
function carrier(headers: readonly string[], method = 'POST', padding = 0): Write {
  return (path) => {
    const body = ' '.repeat(padding) + signedPost(path)
    const length = `Content-Length: ${body.length}`
    return post([...headers, length], body, () => `${method} ${path} HTTP/1.1`)(path)
  }
}

function signedPost(path: string): string {
  return text(post([SIGNED, LENGTH])(path))
}

function signed(body: Uint8Array): string {
  return `X-TonPay-Signature: ${signPayload(body, SECRET).signature}`
}

/** One chunk, the last one, and what follows. */
function chunk(body: Part, ...trailers: readonly string[]): string {
  const end = ['0', ...trailers, '', ''].join('\r\n')
  return `${body.length.toString(16)}\r\n${text(bytes(body))}\r\n${end}`
}

function hex(character: string): string {
  return character.charCodeAt(0).toString(16)
}

function join(...parts: readonly Part[]): Uint8Array {
  return Buffer.concat(parts.map(bytes))
}

/** A text stands for the bytes with its codes; all of them are below 256. */
function bytes(part: Part): Uint8Array {
  return typeof part === 'string' ? Buffer.from(part, 'latin1') : part
}

function text(part: Uint8Array): string {
  return Buffer.from(part).toString('latin1')
}
